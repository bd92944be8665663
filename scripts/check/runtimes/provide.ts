import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillOnce, userCache } from '../../command-line/user-cache.ts';
import { npm } from './package.ts';

const dependencies: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'runtimes.json'), 'utf8'),
);
// Each runtime fetches its binary for this machine in an install script.
const allowScripts = Object.fromEntries(['node', ...Object.keys(dependencies)].map((name) => [name, true]));
const manifest = JSON.stringify({ private: true, dependencies, allowScripts }, null, 2);

/** Shared by all clones with the same runtimes, because they take about 750 MB. */
export const cache: string = userCache(`runtimes-${createHash('sha256').update(manifest).digest('hex').slice(0, 12)}`);

/** Installs the runtimes pinned in `runtimes.json`, unless they are installed. */
export async function provideRuntimes(): Promise<void> {
  await fillOnce(cache, async (fresh) => {
    console.log('Installing the runtimes (about 750 MB; once) …');
    await writeFile(join(fresh, 'package.json'), manifest);
    await npm(['install'], fresh);
  });
}

/** Path of a command of one of the runtimes. */
export function runtimeCommand(...path: string[]): string {
  return join(cache, 'node_modules', ...path);
}
