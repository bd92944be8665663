import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listPackages } from '../../../scripts/build/packages.ts';
import type { Release } from '../../../scripts/release/verdict.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

/** A text in a built or written file, and its replacement in the next release. */
export type Plant = [file: string, text: string, planted: string];

/** This repository as a release. */
export function presentRelease(): Release {
  const { version }: { version: string } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  return { version, folder: repositoryRoot };
}

/** A changed copy of this repository with its built packages. The caller removes it. */
export function plantRelease(plants: readonly Plant[]): Release {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-release-'));
  const own = listPackages();
  for (const path of ['package.json', 'generated', 'spec', 'test/releases', ...own.map((one) => one.folder)])
    cpSync(join(repositoryRoot, path), join(folder, path), { recursive: true });
  linkModules(folder, own);
  for (const [file, text, planted] of plants) {
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    if (!before.includes(text)) throw new Error(`${file} does not contain ${text}`);
    writeFileSync(path, before.replaceAll(text, planted));
  }
  return { ...presentRelease(), folder };
}

export function removeRelease({ folder }: Release): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Links dependencies to this repository, and the packages of the workspace to the copy. */
function linkModules(folder: string, own: readonly { name: string; folder: string }[]): void {
  const modules = join(repositoryRoot, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(modules)) {
    if (own.some((one) => one.name === name) || !statSync(join(modules, name)).isDirectory()) continue;
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  }
  for (const one of own) symlinkSync(join(folder, one.folder), join(folder, 'node_modules', one.name));
}

/**
 * Finds the file below a folder that contains a text. Path from the root of the repository. Chunks have hashed names.
 */
export function fileWith(folder: string, text: string): string {
  const found = readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .filter((name) => readFileSync(join(repositoryRoot, folder, name), 'utf8').includes(text));
  const [name] = found;
  if (name === undefined || found.length > 1) throw new Error(`${found.length} files of ${folder} contain ${text}`);
  return join(folder, name);
}
