import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../spec/files.ts';
import { npm } from '../runtimes/package.ts';

/** Ignored by git, and kept. Its packages are not development dependencies, so that `npm ci` stays quick. */
const cache = join(repositoryRoot, '.cache', 'mutation');

/** Installs Stryker unless it is installed. Returns its program and its configuration. */
export async function provideStryker(): Promise<{ program: string; configuration: string }> {
  const dependencies = JSON.parse(await readFile(join(import.meta.dirname, 'packages.json'), 'utf8'));
  const wanted = JSON.stringify({ private: true, dependencies }, null, 2);
  const installed = join(cache, 'installed.json');
  if ((await readFile(installed, 'utf8').catch(() => '')) !== wanted) {
    console.log('Installing Stryker (once) …');
    await rm(cache, { recursive: true, force: true });
    await mkdir(cache, { recursive: true });
    await writeFile(join(cache, 'package.json'), wanted);
    // Vitest is the repository's own: the runner finds it in the folders above.
    await npm(['install', '--legacy-peer-deps'], cache);
    await writeFile(installed, wanted);
  }
  const modules = join(cache, 'node_modules', '@stryker-mutator');
  const configuration = join(cache, 'stryker.config.json');
  const settings = JSON.parse(await readFile(join(import.meta.dirname, 'stryker.json'), 'utf8'));
  const plugins = [join(modules, 'vitest-runner', 'dist', 'src', 'index.js')];
  await writeFile(configuration, JSON.stringify({ ...settings, plugins }, null, 2));
  return { program: join(modules, 'core', 'bin', 'stryker.js'), configuration };
}
