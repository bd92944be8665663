import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** A file that imports another one of this project. */
export interface Import {
  /** From the root, as `to`. */
  from: string;
  to: string;
  /** As the import is written: `./path.ts`, or `carillon/crm`. */
  specifier: string;
  /** `import type` and `export type`: nothing of it is there at run time. */
  isType: boolean;
}

const statement = /^(?:import|export)( type)?\b[^;'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

/** What users can import, by name: `carillon/crm` → `src/client/crm.ts`. */
const entries = new Map(
  listPackages().flatMap(({ entries }) => entries.map(({ specifier, source }) => [specifier, source])),
);

/** The imports of a source text that reach this project: relative ones, and those of its packages by name. */
export function importsIn(from: string, text: string): Import[] {
  return [...text.matchAll(statement)].flatMap(([, type, named, bare, dynamic]) => {
    const specifier = named ?? bare ?? dynamic ?? '';
    const to = specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : entries.get(specifier);
    // A path with a placeholder is in the text of a program.
    return to === undefined || specifier.includes('${') ? [] : [{ from, to, specifier, isType: type !== undefined }];
  });
}

/** Every such import of the repository, without the builds, and without the projects of users in test/system/package and in the benchmarks. */
export function listImports(): Import[] {
  return globSync('{src,generated,scripts,test,docs/src}/**/*.ts', {
    cwd: repositoryRoot,
    exclude: ['**/node_modules/**'],
  })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/^(?:test\/system\/package\/projects|scripts\/bench\/peers|src\/\w+\/dist)\//.test(file))
    .flatMap((file) => importsIn(file, readFileSync(join(repositoryRoot, file), 'utf8')));
}
