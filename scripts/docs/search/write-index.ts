import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The part of Pagefind's Node API that writes an index. */
interface Pagefind {
  createIndex(): Promise<{ errors: string[]; index?: Index }>;
  close(): Promise<unknown>;
}

interface Index {
  addDirectory(options: { path: string }): Promise<{ errors: string[]; page_count: number }>;
  getFiles(): Promise<{ errors: string[]; files: { path: string; content: Uint8Array }[] }>;
}

/**
 * Writes the search index of a site. Starlight's own step lets Pagefind's process write the files and ends it at once,
 * which left the last file empty on a busy machine.
 *
 * @param project - folder with Pagefind installed
 * @param site - folder of the site
 * @throws with Pagefind's messages, or if an index is incomplete
 */
export async function writeSearchIndex(project: string, site: string): Promise<void> {
  const pagefind: Pagefind = await import(pathToFileURL(join(project, 'node_modules/pagefind/lib/index.js')).href);
  try {
    const { index, errors } = await pagefind.createIndex();
    if (!index) throw new Error(`Pagefind could not start: ${errors.join('; ')}`);
    const added = await index.addDirectory({ path: site });
    const written = await index.getFiles();
    const problems = [...added.errors, ...written.errors];
    if (problems.length > 0) throw new Error(`Pagefind failed: ${problems.join('; ')}`);
    for (const { path, content } of written.files) {
      if (content.length === 0) throw new Error(`Pagefind's file ${path} is empty: run npm run docs again`);
      const file = join(site, 'pagefind', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  } finally {
    await pagefind.close();
  }
}
