import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../spec/files.ts';

/** Where the compiler's output goes. */
export interface CompileFolders {
  /** JavaScript for the bundler, one file per module. */
  scripts: string;
  /** Declarations for users' compilers, one file per module. */
  declarations: string;
}

/** Compiles the sources of the package. Throws an error that lists the compiler's errors. */
export function compile({ scripts, declarations }: CompileFolders): void {
  const configuration = join(repositoryRoot, 'tsconfig.build.json');
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem: ts.Diagnostic) => fail([problem]) };
  const parsed = ts.getParsedCommandLineOfConfigFile(configuration, {}, host);
  if (!parsed) throw new Error(`${configuration} cannot be read`);
  const { fileNames, options, errors } = parsed;
  const outDir = join(repositoryRoot, 'dist');
  const program = ts.createProgram(fileNames, { ...options, outDir });
  const problems = [...errors, ...ts.getPreEmitDiagnostics(program)];
  if (problems.length > 0) fail(problems);
  const { diagnostics } = program.emit(undefined, (file, text) => {
    const target = join(file.endsWith('.d.ts') ? declarations : scripts, relative(outDir, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  });
  if (diagnostics.length > 0) fail(diagnostics);
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
