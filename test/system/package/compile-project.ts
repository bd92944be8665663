import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { listPackages } from '../../../scripts/build/packages.ts';

/** Writes a program that imports every entry, so that the declarations of all are checked. */
export function writeEveryEntry(folder: string): string {
  const entries = listPackages().flatMap((one) => one.entries.map(({ specifier }) => specifier));
  expect(entries).toEqual(expect.arrayContaining(['carillon/crm', 'carillon-sandbox', 'carillon-jobs']));
  const imports = entries.map((specifier, index) => `export * as entry${index} from '${specifier}';\n`);
  const file = join(folder, 'every-entry.ts');
  writeFileSync(file, imports.join(''));
  return file;
}

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
export function compileProject(configuration: string, ...more: string[]): string[] {
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
