import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A path in the user's cache, for files that are too large for each clone or must not be inside a clone. Commands recreate
 * missing files, so the cache can be deleted at any time.
 */
export function userCache(...path: string[]): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'carillon', ...path);
}

/**
 * Creates a folder, unless it exists. The folder appears only when it is complete, so several processes can share it.
 *
 * @param fill - fills an empty folder, which is then renamed
 */
export async function fillOnce(folder: string, fill: (fresh: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    await fill(fresh);
    await rename(fresh, folder);
  } catch (error) {
    // Another process may have created the folder first.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
