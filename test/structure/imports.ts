import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** A file that imports another one; both from the root. */
export interface Import {
  from: string;
  to: string;
  /** By the name of a package of the workspace, as a user does. */
  byName: boolean;
}

const statement = /^(?:import|export)\b[^;'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

/** The modules that packages of the workspace export. */
const entries = new Map(
  listPackages().flatMap((one) => one.entries.map(({ specifier, source }) => [specifier, source] as const)),
);

/** The imports of a source text, without those of packages of others. */
export function importsIn(from: string, text: string): Import[] {
  return [...text.matchAll(statement)].flatMap(([, named, bare, dynamic]): Import[] => {
    const specifier = named ?? bare ?? dynamic ?? '';
    const entry = entries.get(specifier);
    if (entry !== undefined) return [{ from, to: entry, byName: true }];
    // A path with a placeholder is in the text of a program.
    if (!specifier.startsWith('.') || specifier.includes('${')) return [];
    return [{ from, to: posix.join(posix.dirname(from), specifier), byName: false }];
  });
}

/** Every import of the repository, without the projects of users in test/system/package and in the benchmarks. */
export function listImports(): Import[] {
  return globSync('{src,generated,scripts,test}/**/*.ts', { cwd: repositoryRoot })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/^(?:test\/package\/projects|scripts\/bench\/peers|src\/\w+\/dist)\//.test(file))
    .flatMap((file) => importsIn(file, readFileSync(join(repositoryRoot, file), 'utf8')));
}
