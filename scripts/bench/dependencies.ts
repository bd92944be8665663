import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  link?: boolean;
  /** Its URL, or the folder of a link. */
  resolved?: string;
}

/** `package-lock.json`: the packages by path. The project itself is `''`. */
interface Lock {
  packages: Record<string, Locked>;
}

export function readLock(folder: string): Lock {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
}

/**
 * Number of packages that are installed with a package: its direct and transitive dependencies, and required peers.
 * Development dependencies and optional dependencies do not count.
 *
 * @param place - path of the package in the lockfile: `src/client`, or `node_modules/ky`
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

/** The path that a package resolves another one to: in its own `node_modules`, or in one of a parent folder. */
function find(packages: Lock['packages'], from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const found = packages[place];
    // A package of the workspace is a link to its folder.
    if (found) return found.link && found.resolved ? found.resolved : place;
    if (folder === '') throw new Error(`The lock does not have ${name}, which ${from || 'the project'} needs`);
  }
}
