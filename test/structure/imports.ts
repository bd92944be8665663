import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** A file that imports another one; both from the root. */
export interface Import {
  from: string;
  to: string;
}

const statement = /^(?:import|export)\b[^;'"]*?from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** The relative imports of a source text. */
export function importsIn(from: string, text: string): Import[] {
  return [...text.matchAll(statement)].map(([, named, bare, dynamic]) => ({
    from,
    to: posix.join(posix.dirname(from), named ?? bare ?? dynamic ?? ''),
  }));
}

/** Every relative import of the repository, without the projects of users in test/package and in the benchmarks. */
export function listImports(): Import[] {
  return globSync('{src,generated,scripts,test}/**/*.ts', { cwd: repositoryRoot })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/^(?:test\/package\/projects|scripts\/bench\/peers)\//.test(file))
    .flatMap((file) => importsIn(file, readFileSync(join(repositoryRoot, file), 'utf8')));
}
