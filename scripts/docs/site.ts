import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readResults, resultsFolder } from '../bench/results.ts';
import { replaceFolder } from '../build/replace.ts';
import { provideTools } from '../command-line/provide-tools.ts';
import { repositoryRoot, type SpecName, specNames } from '../spec/files.ts';
import { loadSpec, type Spec } from '../spec/model.ts';
import { findNamedTests } from '../spec/rule-tests.ts';
import { guidePath, pagePaths } from './addresses.ts';
import { addressIn, linkInSite } from './base.ts';
import { listDownloads, specDownloads, writeDownloads } from './downloads.ts';
import { type Guide, readGuides, repositoryAddress } from './guides.ts';
import { plainText } from './markdown.ts';
import { fileOf, renderMarkdown, renderPage, type SitePage } from './page.ts';
import { absencesPage } from './pages/absences.ts';
import { benchmarksPage } from './pages/benchmarks.ts';
import { documentsPage } from './pages/documents.ts';
import { downloadsPage } from './pages/downloads.ts';
import { errorsPage } from './pages/errors.ts';
import { writtenPages } from './pages/guides.ts';
import { methodsPage } from './pages/methods.ts';
import { notDocumentedPage } from './pages/not-documented.ts';
import { operationPage } from './pages/operation.ts';
import { rulesPage } from './pages/rules.ts';
import { homePage, notFoundPage } from './pages/start.ts';
import { addPolicies } from './policy.ts';
import { type RedocDownload, writeRedocPages } from './redoc.ts';
import { type Reference, readReference } from './reference.ts';
import { listSections } from './search/sections.ts';
import { writeTopics } from './sidebar.ts';

/** The Astro project that turns the pages into a site. */
export const project = join(repositoryRoot, 'docs');
const pagesFolder = join(project, 'src', 'content', 'docs');
/** Output folder of Astro. It replaces the old site when it is complete. */
const work = join(repositoryRoot, '.cache', 'site');
export const siteFolder: string = join(repositoryRoot, 'site');

export interface BuildOptions {
  /** Called with each line of progress. */
  report?: (line: string) => void;
  /** The folder of the host that the site is for, with slashes around it. @default `/` */
  base?: string;
  /** Origin of the host, for canonical addresses, the sitemap and `robots.txt`. Without it, the site has none of them. */
  site?: string;
  /** Output folder. @default {@link siteFolder} */
  folder?: string;
}

/** Writes the pages and has Astro build the site. A failure leaves the old site unchanged. */
export async function buildSite({
  report = () => {},
  base = '/',
  site,
  folder = siteFolder,
}: BuildOptions = {}): Promise<void> {
  const references = readReferences(loadSpec);
  const operations = references.flatMap((reference) => reference.operations);
  const guides = readGuides(operations);
  const pages = listPages(references);
  await writeSources({ pages, references, guides, report }, base);
  report(`${pages.length} pages: ${operations.length} operations, ${guides.length} guides`);
  await writeStaticFiles(guides, base, site);
  report(`${specNames.length} Redoc pages, ${listDownloads().length} downloads`);
  await buildWithAstro(['--base', base, ...(site ? ['--site', site] : [])], report);
  await addPolicies(work);
  const sections = listSections(pages).map((section) => ({ ...section, url: addressIn(base, section.url) }));
  await writeFile(join(work, 'search.json'), JSON.stringify(sections));
  for (const page of pages) {
    const file = join(work, fileOf(page));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, linkInSite(base, renderMarkdown(page)));
  }
  await replaceFolder(folder, (fresh) => rename(work, fresh));
}

/** Input of {@link writeSources}. */
export interface Sources {
  pages: readonly SitePage[];
  references: readonly Reference[];
  guides: readonly Guide[];
  report: (line: string) => void;
}

/** Writes the pages and the data that Astro reads. */
export async function writeSources({ pages, references, guides, report }: Sources, base = '/'): Promise<void> {
  await provideTools(project, 'the site generator', report);
  await rm(pagesFolder, { recursive: true, force: true });
  await writePages(pages, base);
  await writeData('site.json', {
    version: await readVersion(),
    description: pages[0]?.description,
    header: [
      { label: 'Methods', link: pagePaths.methods },
      { label: 'Redoc', link: `${pagePaths.downloads}#redoc-pages` },
    ],
    topics: writeTopics(references, guides),
  });
}

/** Replaces the Redoc pages, the downloads and `robots.txt`, which Astro copies unchanged. */
async function writeStaticFiles(guides: readonly Guide[], base: string, site: string | undefined): Promise<void> {
  const folder = join(project, 'public');
  const robots = join(folder, 'robots.txt');
  const old = ['redoc', 'robots.txt', ...listDownloads().map(({ file }) => file)];
  await Promise.all(old.map((path) => rm(join(folder, path), { recursive: true, force: true })));
  const downloadsOf = (name: SpecName): RedocDownload[] =>
    specDownloads(name).map(({ file, title }) => ({ title, url: `../../${file}` }));
  const links = guides.map(({ title, name, lead }) => ({ title, href: guidePath(name), about: plainText(lead) }));
  await Promise.all([
    writeRedocPages({ folder: join(folder, 'redoc'), downloadsOf }),
    writeDownloads(folder, links, base),
    site && writeFile(robots, `User-agent: *\nAllow: /\nSitemap: ${new URL(`${base}sitemap-index.xml`, site)}\n`),
  ]);
}

/** All pages, generated and hand-written. The first is the start page. */
export function listPages(references: readonly Reference[]): SitePage[] {
  const operations = references.flatMap((reference) => reference.operations);
  const guides = readGuides(operations);
  const results = readResults(resultsFolder);
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]));
  return [
    homePage(references, guides, results),
    ...references.flatMap((reference) =>
      reference.operations.map((operation) => operationPage(operation, { reference, guides, byId })),
    ),
    methodsPage(references),
    errorsPage(references),
    rulesPage(references, findNamedTests()),
    notDocumentedPage(references),
    absencesPage(operations),
    downloadsPage(),
    documentsPage(references),
    benchmarksPage(results),
    ...writtenPages(guides, operations),
  ];
}

/** Writes the pages that differ from their files, so that a browser reloads only those. */
export async function writePages(pages: readonly SitePage[], base = '/'): Promise<void> {
  const repository = repositoryAddress();
  for (const page of [...pages, notFoundPage]) {
    const file = join(pagesFolder, fileOf(page));
    const text = linkInSite(base, renderPage(page, repository));
    if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

async function writeData(name: string, data: object): Promise<void> {
  const folder = join(project, 'src', 'data');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), JSON.stringify(data, null, 2));
}

async function readVersion(): Promise<string> {
  const text = await readFile(join(repositoryRoot, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

const buildMilliseconds = 300_000;

/** @throws with Astro's whole output if the build fails */
async function buildWithAstro(options: readonly string[], report: (line: string) => void): Promise<void> {
  const child = startAstro(['build', ...options], 'production', { timeout: buildMilliseconds });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const code = await ended(child);
  if (code !== 0) throw new Error(`astro build failed:\n${output}`);
  const [, built = ''] = /(\d+ page\(s\) built in [\d.]+s)/.exec(output) ?? [];
  report(built);
}

export function startAstro(args: readonly string[], mode: string, options: SpawnOptions): ChildProcess {
  const program = join(project, 'node_modules', 'astro', 'bin', 'astro.mjs');
  return spawn(process.execPath, [program, ...args], {
    ...options,
    cwd: project,
    env: { ...process.env, NODE_ENV: mode, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', NODE_OPTIONS: '' },
  });
}

/** Resolves to the exit code. */
export async function ended(child: ChildProcess): Promise<number | null> {
  const [code]: (number | null)[] = await once(child, 'close');
  return code ?? null;
}

/** Thrown if no page can be built from a spec. */
export class SpecError extends Error {
  override name = 'SpecError';
}

export function readReferences(load: (name: SpecName) => Spec): Reference[] {
  const failures: string[] = [];
  const references = specNames.flatMap((name) => {
    try {
      return readReference(load(name));
    } catch (error) {
      failures.push(`spec/${name}.yaml: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
  if (failures.length > 0) throw new SpecError(failures.join('\n'));
  return references;
}
