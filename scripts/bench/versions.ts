import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';
import { peersFolder } from './run-peer.ts';

/** The versions of installed packages, of this project and of what it is compared with. */
export function readVersions(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, readVersion(name)]));
}

function readVersion(name: string): string {
  for (const folder of [peersFolder, repositoryRoot]) {
    try {
      const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
      const { version }: { version: string } = JSON.parse(manifest);
      return version;
    } catch {}
  }
  throw new Error(`${name} is not installed`);
}
