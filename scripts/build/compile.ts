import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../spec/files.ts';
import type { Package } from './packages.ts';

/** The compiled sources of all packages. */
export interface Compiled {
  /** Writes the declarations that a package's entries reach, one file per module. */
  writeDeclarations(one: Package, folder: string): void;
}

/**
 * Compiles the sources of all packages at once.
 *
 * @param scripts - folder for the JavaScript, one file per module
 * @throws `Error` that lists the compiler's errors
 */
export function compile(packages: readonly Package[], scripts: string): Compiled {
  const outDir = join(repositoryRoot, 'dist');
  const modules = packages.flatMap(({ entries, namespaces, programs }) => [...entries, ...namespaces, ...programs]);
  const program = ts.createProgram(
    modules.map(({ source }) => join(repositoryRoot, source)),
    { ...readOptions(), outDir },
  );
  const problems = ts.getPreEmitDiagnostics(program);
  if (problems.length > 0) fail(problems);
  /** Keyed by the source's path from the root, without its extension. */
  const declarations = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (file, text) => {
    const path = relative(outDir, file).replaceAll(sep, '/');
    if (path.endsWith('.d.ts')) declarations.set(path.slice(0, -'.d.ts'.length), text);
    else write(join(scripts, path), text);
  });
  if (diagnostics.length > 0) fail(diagnostics);
  return {
    writeDeclarations({ entries, namespaces }, folder) {
      const wanted = new Set([...entries, ...namespaces].map(({ source }) => source.slice(0, -'.ts'.length)));
      // The loop also visits paths that are added to the set meanwhile.
      for (const path of wanted) {
        const text = declarations.get(path);
        if (text === undefined) throw new Error(`${path} has no declarations`);
        write(join(folder, `${path}.d.ts`), text);
        for (const { fileName } of ts.preProcessFile(text).importedFiles) {
          if (fileName.startsWith('.')) wanted.add(posix.join(posix.dirname(path), fileName).replace(/\.[jt]s$/, ''));
        }
      }
    },
  };
}

/** The options of `tsconfig.json`, with those that a build changes. */
function readOptions(): ts.CompilerOptions {
  const file = join(repositoryRoot, 'tsconfig.json');
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem: ts.Diagnostic) => fail([problem]) };
  const changes: ts.CompilerOptions = {
    noEmit: false,
    declaration: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    stripInternal: true,
    rootDir: repositoryRoot,
  };
  const parsed = ts.getParsedCommandLineOfConfigFile(file, changes, host);
  if (!parsed) throw new Error(`${file} cannot be read`);
  if (parsed.errors.length > 0) fail(parsed.errors);
  return parsed.options;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function fail(problems: readonly ts.Diagnostic[]): never {
  throw new Error(
    ts.formatDiagnostics(problems, {
      getCanonicalFileName: (file) => file,
      getCurrentDirectory: () => repositoryRoot,
      getNewLine: () => '\n',
    }),
  );
}
