import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { listPackages } from '../../../scripts/build/packages.ts';
import { openTelemetry } from '../../../scripts/check/runtimes/package.ts';
import { useProject } from './installed.ts';

const typescript = useProject('typescript', ...openTelemetry(), '@tanstack/query-core');
const program = useProject('program');

/** Imports every entry, so that the declarations of all are checked. */
const everyEntry = (): string => join(typescript(), 'every-entry.ts');
beforeAll(() => {
  const entries = listPackages().flatMap((one) => one.entries.map(({ specifier }) => specifier));
  expect(entries).toEqual(expect.arrayContaining(['carillon/crm', 'carillon-sandbox', 'carillon-jobs']));
  const imports = entries.map((specifier, index) => `export * as entry${index} from '${specifier}';\n`);
  writeFileSync(everyEntry(), imports.join(''));
});

/** Parsed files, shared by all programs, so that TypeScript's and the packages' files are parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, settings, ...rest) => {
    const key = `${name} ${JSON.stringify(settings)}`;
    if (!parsed.has(key)) parsed.set(key, getSourceFile(name, settings, ...rest));
    return parsed.get(key);
  };
  return host;
}

/** The errors of TypeScript 5.9 for a project. `npm run runtimes` covers 5.3 and 7. */
function compile(configuration: string, ...more: string[]): string[] {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const read = ts.getParsedCommandLineOfConfigFile(configuration, undefined, host);
  if (!read) throw new Error(`${configuration} cannot be read`);
  expect(read.fileNames.length).toBeGreaterThan(0);
  expect(read.options).toMatchObject({ strict: true, skipLibCheck: false });
  const { errors, fileNames, options } = read;
  const checked = ts.createProgram([...fileNames, ...more], options, createHost(options));
  // The declarations of the package and its peers. Those of TypeScript and Node are skipped, because they take longer
  // than all others.
  const files = checked
    .getSourceFiles()
    .filter((file) => !checked.isSourceFileDefaultLibrary(file) && !/@types\/node|undici-types/.test(file.fileName));
  const found = files.flatMap((file) => ts.getPreEmitDiagnostics(checked, file));
  return [...errors, ...found].map(describe);
}

function fail(diagnostic: ts.Diagnostic): never {
  throw new Error(describe(diagnostic));
}

function describe({ messageText, file, start = 0 }: ts.Diagnostic): string {
  const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  return `${file?.fileName ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
}

test.each([
  ['as modules and as CommonJS', 'tsconfig'],
  ['as strictly as can be, without the DOM', 'tsconfig.exact'],
  ['for a bundler', 'tsconfig.bundler'],
  ['with the oldest module resolution that knows packages', 'tsconfig.node10'],
  ['with module: Node16, where CommonJS cannot import an ES module', 'tsconfig.node16'],
])('the declarations compile in strict mode, libraries checked: %s', (_, name) => {
  expect(compile(join(typescript(), `${name}.json`), everyEntry())).toEqual([]);
});

// Compiled alone, because the augmented module must be reachable from the imported one.
test.each([
  ['carillon', 'an ES module', 'tsconfig.root'],
  ['carillon', 'CommonJS', 'tsconfig.root-commonjs'],
  ['carillon/paths', 'an ES module', 'tsconfig.paths'],
  ['carillon/paths', 'CommonJS', 'tsconfig.paths-commonjs'],
])('a program that imports %s alone can add a field to a record of carillon/crm: %s', (_, __, name) => {
  expect(compile(join(typescript(), `${name}.json`))).toEqual([]);
});

test('the program for every runtime compiles', () => {
  expect(compile(join(program(), 'tsconfig.json'))).toEqual([]);
});
