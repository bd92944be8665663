import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** A file that imports another one of this project. */
export interface Import {
  /** Path from the root, like `to`. */
  from: string;
  to: string;
  /** The specifier in the source: `./path.ts`, or `carillon/crm`. */
  specifier: string;
  /** Set for `import type` and `export type`, which do not exist at run time. */
  isType: boolean;
}

const statement = /^(?:import|export)( type)?\b[^;'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

/** Modules that users can import, by name: `carillon/crm` → `src/client/crm.ts`. */
const entries = new Map(
  listPackages().flatMap(({ entries }) => entries.map(({ specifier, source }) => [specifier, source])),
);

/** The imports in a source text that resolve to this project: relative ones, and its packages by name. */
export function importsIn(from: string, text: string): Import[] {
  return [...text.matchAll(statement)].flatMap(([, type, named, bare, dynamic]) => {
    const specifier = named ?? bare ?? dynamic ?? '';
    const to = specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : entries.get(specifier);
    // A path with a placeholder belongs to the text of a generated program.
    return to === undefined || specifier.includes('${') ? [] : [{ from, to, specifier, isType: type !== undefined }];
  });
}

/**
 * Every such import in the repository, except in builds, the user projects of test/system/package, and the benchmarks.
 */
export function listImports(): Import[] {
  return globSync('{src,generated,scripts,test,docs/src}/**/*.ts', {
    cwd: repositoryRoot,
    exclude: ['**/node_modules/**'],
  })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/^(?:test\/system\/package\/projects|scripts\/bench\/peers|src\/\w+\/dist)\//.test(file))
    .flatMap((file) => importsIn(file, readFileSync(join(repositoryRoot, file), 'utf8')));
}
