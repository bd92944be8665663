import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFolder } from '../../build/replace.ts';
import { repositoryRoot, specNames } from '../../spec/files.ts';
import { loadSpec } from '../../spec/model.ts';
import { readProductReferences } from '../facts/product-reference.ts';
import { readGuides } from '../guides/read-guides.ts';
import { fileOf, renderMarkdown } from '../markdown/page.ts';
import { listPages } from '../pages/list.ts';
import { buildWithAstro } from './astro.ts';
import { addressIn, linkInSite } from './base.ts';
import { listDownloads } from './download-files.ts';
import { addPolicies } from './policy.ts';
import { listSections } from './search-sections.ts';
import { writeSources, writeStaticFiles } from './sources.ts';

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
  const references = readProductReferences(loadSpec);
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
