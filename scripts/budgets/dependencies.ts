import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** `package-lock.json`: what is installed where; the project itself is at `''`. */
export interface Lock {
  packages: Record<string, Locked>;
}

export function readLock(folder: string): Lock {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
}

/**
 * How many packages are installed with a package, itself not counted: its dependencies and theirs, with the peers that it
 * cannot do without. Development dependencies and optional ones are no matter of its users.
 *
 * @param place - of the package in the lock: `''` is the project, `node_modules/ky` a package
 */
export function countDependencies({ packages }: Lock, place: string): number {
  const found = new Set([place]);
  for (const current of found) {
    const { dependencies, peerDependencies, peerDependenciesMeta } = packages[current] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys(dependencies ?? {}), ...peers]) found.add(find(packages, current, name));
  }
  return found.size - 1;
}

/** Where a package finds another one: in its own `node_modules`, or in one further up. */
function find(packages: Lock['packages'], from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') throw new Error(`The lock does not have ${name}, which ${from || 'the project'} needs`);
  }
}
