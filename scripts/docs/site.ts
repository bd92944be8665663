import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resultsFolder } from '../bench/bench-options.ts';
import { readResults } from '../bench/results.ts';
import { type SpecName, specNames } from '../spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../spec/model.ts';
import { findNamedTests } from '../spec/rule-tests.ts';
import { specLabels } from '../spec/source.ts';
import { writeAssets } from './assets.ts';
import { benchmarksPage, renderBenchmarksPage } from './benchmarks-page.ts';
import { coveragePage, renderCoveragePage } from './coverage-page.ts';
import { checkReferences } from './document.ts';
import { renderDocumentsPage } from './documents-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { errorsPage } from './fact-links.ts';
import { assetsFolder, searchIndex } from './frame/ids.ts';
import { guidesPage, renderGuidePage, renderGuidesPage } from './guide-page.ts';
import { type Guide, readGuides } from './guides.ts';
import { type Page, startPage } from './layout.ts';
import { renderLlmsFiles } from './llms-files.ts';
import { methodsPage, renderMethodsPage } from './methods-page.ts';
import { openPage, renderOpenPage } from './open-page.ts';
import { collectOpenPoints } from './open-points.ts';
import { buildPackageReference, packagePage } from './package-reference.ts';
import { redocFile } from './redoc-script.ts';
import type { Reference } from './reference.ts';
import { buildReference } from './reference-page.ts';
import { renderRulesPage, rulesPage } from './rules-page.ts';
import { collectEntries } from './search/collect.ts';
import { documentsPage } from './source-links.ts';
import { renderStart } from './start-page.ts';
import { buildTryPage, tryPage } from './try-page.ts';

export function pageOf(name: SpecName): Page {
  return { file: `${name}.html`, label: specLabels[name] };
}

export interface BuildOptions {
  /** Output folder. The build replaces all of it. */
  output: string;
  /** Called with each line of progress. */
  report?: (line: string) => void;
  /** @default reads the project's spec */
  load?: (name: SpecName) => Spec;
}

/** Builds every page in a temporary folder, then replaces the old site. A failure does not change the old site. */
export async function buildSite({ output, report = () => {}, load = loadSpec }: BuildOptions): Promise<void> {
  const cache = join(dirname(output), '.cache');
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'docs-'));
  try {
    const site = join(work, 'site');
    await mkdir(site);
    const references = await inEachSpec(
      specNames,
      (name) => name,
      (name) => readReference(load(name)),
    );
    const pages = headerPages();
    const guides = readGuides();
    const rendered = renderPages(references, guides, pages);
    for (const [file, text] of rendered) await writeFile(join(site, file), text);
    for (const [file, text] of renderLlmsFiles(references, guides)) await writeFile(join(site, file), text);
    const [program = ''] = await inEachSpec(
      references,
      ({ spec }) => spec.name,
      async (reference) => {
        const script = await buildReference(reference, guides, pages, { site, work });
        report(`${reference.page.file}: ${reference.operations.length} operations`);
        return script;
      },
    );
    await buildTryPage(
      references.map(({ spec }) => spec),
      pages,
      site,
    );
    report(`${tryPage.file}: the console`);
    const { entries, names } = await buildPackageReference(site, work, pages);
    report(`${packagePage.file}: ${entries} entries`);
    const guideFiles = new Set(guides.map(({ page }) => page.file));
    const ownPages = rendered.filter(([file]) => !guideFiles.has(file));
    const searchable = collectEntries({ references, guides, pages: ownPages, names });
    await writeAssets(site, searchable);
    await writeFile(join(site, redocFile), program);
    report(`${assetsFolder}/${searchIndex}: ${searchable.length} places`);
    await swap(site, output, join(work, 'old'));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The pages in the header, in order. */
export function headerPages(): Page[] {
  return [
    guidesPage,
    tryPage,
    ...specNames.map(pageOf),
    packagePage,
    openPage,
    methodsPage,
    errorsPage,
    rulesPage,
    coveragePage,
    benchmarksPage,
    documentsPage,
  ];
}

/** The pages that this project renders itself, by file. */
function renderPages(references: Reference[], guides: readonly Guide[], pages: Page[]): [file: string, text: string][] {
  return [
    [startPage.file, renderStart(references, guides, pages)],
    [guidesPage.file, renderGuidesPage(guides, pages)],
    ...guides.map((guide): [string, string] => [guide.page.file, renderGuidePage(guide, guides, pages)]),
    [rulesPage.file, renderRulesPage(references, pages, findNamedTests())],
    [coveragePage.file, renderCoveragePage(references, pages)],
    [openPage.file, renderOpenPage(references, pages)],
    [methodsPage.file, renderMethodsPage(references, pages)],
    [errorsPage.file, renderErrorsPage(references, pages)],
    [documentsPage.file, renderDocumentsPage(references, pages)],
    [benchmarksPage.file, renderBenchmarksPage(readResults(resultsFolder), pages)],
  ];
}

export function readReference(spec: Spec): Reference {
  checkReferences(spec);
  const operations = listOperations(spec);
  return { spec, page: pageOf(spec.name), operations, openGroups: collectOpenPoints(spec) };
}

async function swap(fresh: string, output: string, old: string): Promise<void> {
  const replaced = await rename(output, old).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    },
  );
  await rename(fresh, output).catch(async (error: unknown) => {
    if (replaced) await rename(old, output);
    throw error;
  });
}

/** Thrown if no page can be built from a spec. */
export class SpecError extends Error {
  override name = 'SpecError';
}

/** Runs a function for all specs in parallel. When all have ended, throws an error with every spec that failed. */
async function inEachSpec<Item, Result>(
  items: readonly Item[],
  nameOf: (item: Item) => SpecName,
  act: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const outcomes = await Promise.allSettled(items.map(async (item) => act(item)));
  const failures = outcomes.flatMap((outcome, index) => {
    const item = items[index];
    if (outcome.status === 'fulfilled' || item === undefined) return [];
    const reason = outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason);
    return [`spec/${nameOf(item)}.yaml: ${reason}`];
  });
  if (failures.length > 0) throw new SpecError(failures.join('\n'));
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}
