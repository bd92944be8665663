import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LlmsLink } from '../generate/llms.ts';
import { type SpecName, specNames } from '../spec/files.ts';
import { loadSpec, type Spec } from '../spec/model.ts';
import { listDownloads, specDownloads, writeDownloads } from './downloads.ts';
import { writeRedocPages } from './redoc.ts';

export interface StaticFiles {
  /** Folder of the files that Astro copies unchanged. */
  folder: string;
  /** Address of the published site, without a trailing slash. */
  address: string;
  /** Pages that `llms.txt` links to. */
  pages: readonly LlmsLink[];
  /** @default reads the project's spec */
  load?: (name: SpecName) => Spec;
}

/** Replaces the Redoc pages, the downloads and `robots.txt`. Resolves to a progress line. */
export async function writeStaticFiles({ folder, address, pages, load = loadSpec }: StaticFiles): Promise<string> {
  await Promise.all(
    ['redoc', ...listDownloads().map(({ file }) => file)].map((path) =>
      rm(join(folder, path), { recursive: true, force: true }),
    ),
  );
  await Promise.all([
    writeRedocPages({
      folder: join(folder, 'redoc'),
      downloadsOf: (name) => specDownloads(name).map(({ file, title }) => ({ title, url: `../../${file}` })),
      load,
    }),
    writeDownloads(folder, pages),
    writeFile(join(folder, 'robots.txt'), `User-agent: *\nAllow: /\nSitemap: ${address}/sitemap-index.xml\n`),
  ]);
  return `${specNames.length} Redoc pages, ${listDownloads().length} downloads`;
}
