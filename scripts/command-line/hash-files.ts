import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A hash of the names and contents of all files below a folder.
 *
 * @param without - files and folders to ignore, by name or by path from the folder
 */
export function hashFolder(folder: string, without: ReadonlySet<string> = new Set()): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const name = join(path, entry.name);
      if (without.has(entry.name) || without.has(name)) continue;
      if (entry.isDirectory()) add(name);
      else if (statSync(join(folder, name), { throwIfNoEntry: false })?.isFile()) {
        const content = readFileSync(join(folder, name));
        // The length separates a file from the next file.
        hash.update(`${name}\0${content.length}\0`).update(content);
      }
    }
  };
  if (statSync(folder, { throwIfNoEntry: false })) add('');
  return hash.digest('hex');
}
