import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { provideTools } from '../../command-line/provide-tools.ts';
import { repositoryRoot, type SpecName } from '../../spec/files.ts';
import { guidePath, pagePaths } from '../addresses.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { repositoryAddress } from '../guides/links.ts';
import type { Guide } from '../guides/read-guides.ts';
import { plainText } from '../markdown/markdown.ts';
import { fileOf, renderPage, type SitePage } from '../markdown/page.ts';
import { notFoundPage } from '../pages/home.ts';
import { type RedocDownload, writeRedocPages } from '../redoc/pages.ts';
import { project } from './astro.ts';
import { linkInSite } from './base.ts';
import { listDownloads, specDownloads, writeDownloads } from './download-files.ts';
import { writeTopics } from './sidebar.ts';

const pagesFolder = join(project, 'src', 'content', 'docs');

/** Input of {@link writeSources}. */
export interface Sources {
  pages: readonly SitePage[];
  references: readonly ProductReference[];
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
export async function writeStaticFiles(
  guides: readonly Guide[],
  base: string,
  site: string | undefined,
): Promise<void> {
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
