import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../spec/files.ts';
import { runCompiler } from './compiler.ts';
import type { Package } from './packages.ts';

/**
 * Compiles the sources of all packages at once, with the options of `tsconfig.json`.
 *
 * @param output - folder for the JavaScript and the declarations, one file of each per module
 * @throws `Error` that lists the compiler's errors
 */
export async function compile(packages: readonly Package[], output: string): Promise<void> {
  const modules = packages.flatMap(({ entries, namespaces, programs }) => [...entries, ...namespaces, ...programs]);
  const project = join(output, 'tsconfig.json');
  const settings = {
    extends: join(repositoryRoot, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      stripInternal: true,
      typeRoots: [join(repositoryRoot, 'node_modules', '@types')],
      rootDir: repositoryRoot,
      outDir: output,
    },
    files: modules.map(({ source }) => join(repositoryRoot, source)),
    include: [],
  };
  writeFileSync(project, JSON.stringify(settings));
  const problems = await runCompiler(project);
  if (problems !== '') throw new Error(problems);
}

/**
 * Copies the declarations that a package's entries reach, one file per module.
 *
 * @param compiled - folder of the compiled sources
 */
export function copyDeclarations({ entries, namespaces }: Package, compiled: string, folder: string): void {
  const wanted = new Set([...entries, ...namespaces].map(({ source }) => source.slice(0, -'.ts'.length)));
  // The loop also visits paths that are added to the set meanwhile.
  for (const path of wanted) {
    const text = readFileSync(join(compiled, `${path}.d.ts`), 'utf8');
    const copy = join(folder, `${path}.d.ts`);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, text);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) wanted.add(posix.join(posix.dirname(path), fileName).replace(/\.[jt]s$/, ''));
    }
  }
}
