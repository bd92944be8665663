import { sep } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../spec/files.ts';

/**
 * The strictest settings that users can have. They also check the built declarations, but not TypeScript's own, which
 * would double the time.
 */
const options: ts.CompilerOptions = {
  strict: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** Path in the compiler's form. */
const root = repositoryRoot.replaceAll(sep, '/');

/** A file in memory only. It is at the root, from which Node finds the packages of the workspace. */
const file = `${root}/program.ts`;

/** Number of types that the compiler instantiates for a program beyond those of an empty program. */
export function createInstantiationCounter(): (program: string) => number {
  const cache = new Map<string, ts.SourceFile | undefined>();
  const count = (text: string): number => {
    const program = ts.createProgram([file], options, createHost(text, cache));
    const [problem] = ts.getPreEmitDiagnostics(program);
    if (problem) throw new Error(`The program does not compile: ${describe(problem)}`);
    const sources = program
      .getSourceFiles()
      .filter(({ fileName, isDeclarationFile }) => fileName.startsWith(`${root}/src/`) && !isDeclarationFile);
    if (sources.length > 0) throw new Error('The sources were measured, not the built declarations');
    return program.getInstantiationCount();
  };
  let empty: number | undefined;
  return (program) => {
    empty ??= count('export {};');
    return count(program) - empty;
  };
}

/** Reads everything except the program from disk, and reads the libraries only once. */
function createHost(text: string, cache: Map<string, ts.SourceFile | undefined>): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (name, settings) => {
    if (name === file) return ts.createSourceFile(name, text, settings);
    if (!cache.has(name)) cache.set(name, read(name, settings));
    return cache.get(name);
  };
  return host;
}

function describe({ messageText, file: place, start = 0 }: ts.Diagnostic): string {
  const line = place?.text.slice(start).split('\n', 1)[0]?.slice(0, 80) ?? '';
  return `${ts.flattenDiagnosticMessageText(messageText, ' ')} (${line})`;
}
