import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../spec/files.ts';
import { npm } from './package.ts';

/** Ignored by git and kept between runs, because the runtimes take about 750 MB. */
export const cache = join(repositoryRoot, '.cache', 'runtimes');

/** Installs the runtimes pinned in `runtimes.json`, unless they are installed. */
export async function provideRuntimes(): Promise<void> {
  const dependencies: Record<string, string> = JSON.parse(
    await readFile(join(import.meta.dirname, 'runtimes.json'), 'utf8'),
  );
  // Each runtime fetches its binary for this machine in an install script.
  const allowScripts = Object.fromEntries(Object.keys(dependencies).map((name) => [name, true]));
  const wanted = JSON.stringify(
    { private: true, dependencies, allowScripts: { ...allowScripts, node: true } },
    null,
    2,
  );
  const manifest = join(cache, 'package.json');
  const installed = join(cache, 'installed.json');
  if ((await readFile(installed, 'utf8').catch(() => '')) === wanted) return;
  console.log('Installing the runtimes (about 750 MB; once) …');
  await rm(cache, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  await writeFile(manifest, wanted);
  await npm(['install'], cache);
  await writeFile(installed, wanted);
}

/** Path of a command of one of the runtimes. */
export function runtimeCommand(...path: string[]): string {
  return join(cache, 'node_modules', ...path);
}
