import { mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Rebuilds a folder and replaces the old one when the new one is complete. Readers see the old folder during a build and
 * after a failed one.
 *
 * @param make - fills an empty folder next to the one that it replaces
 */
export async function replaceFolder(folder: string, make: (fresh: string) => Promise<void>): Promise<void> {
  // In the same parent folder, because a rename cannot cross file systems.
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
