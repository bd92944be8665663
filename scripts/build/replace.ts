import { mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a folder anew, and puts it in the place of the old one when it is complete: whoever reads the folder during a
 * build, or after one that failed, has the old one.
 *
 * @param make - fills an empty folder beside the one that it will replace
 */
export async function replaceFolder(folder: string, make: (fresh: string) => Promise<void>): Promise<void> {
  // Beside it: a folder cannot be renamed from one disk to another.
  const work = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const fresh = join(work, 'fresh');
    await make(fresh);
    await rename(folder, join(work, 'old')).catch(ignoreMissing);
    await rename(fresh, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
