import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { hashFolder } from '../command-line/hash-files.ts';
import { repositoryRoot, specNames } from '../spec/files.ts';
import { shippedPages } from './package-pages.ts';
import { listPackages } from './packages.ts';

export const buildFolders = ['src', 'generated', 'scripts/build'];

/** Files outside {@link buildFolders} that change the build. Pages are copied in a second step, so they are not listed. */
export const buildFiles = [
  ...specNames.map((name) => `spec/${name}.yaml`),
  'scripts/command-line/dispatch.ts',
  'scripts/command-line/hash-files.ts',
  'scripts/spec/files.ts',
  'scripts/spec/model.ts',
  'LICENSE',
  'package.json',
  'tsconfig.json',
  // npm lists the installed packages here.
  'node_modules/.package-lock.json',
];

/** Files in {@link buildFolders} that the build does not read. The build writes a `LICENSE` beside each `dist/`. */
const notRead = new Set([
  ...['node_modules', 'dist', 'LICENSE', 'README.md'],
  ...Object.values(shippedPages).flatMap((copies) => Object.keys(copies).map((file) => relative('src', file))),
]);

/** Key of the packages in `dist/`. */
const keyFile = join(repositoryRoot, '.cache', 'build-key');

/** A hash of everything that the build reads. */
export function buildKey(root: string = repositoryRoot): string {
  const hash = createHash('sha256').update(process.version);
  for (const folder of buildFolders) hash.update(hashFolder(join(root, folder), notRead));
  for (const file of buildFiles) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Whether the packages in `dist/` have this key. */
export function isBuilt(key: string): boolean {
  const hasDist = listPackages().every(({ folder }) => existsSync(join(repositoryRoot, folder, 'dist')));
  return hasDist && existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key;
}

export function recordKey(key: string): void {
  mkdirSync(dirname(keyFile), { recursive: true });
  writeFileSync(keyFile, key);
}

/** Removes the key, until the next complete build. */
export function forgetKey(): void {
  rmSync(keyFile, { force: true });
}
