import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { packageEntries } from '../../scripts/docs/package-entries.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** One thing that the compiler refuses. */
export interface Problem {
  /** Path from the root of the repository. */
  file: string;
  line: number;
  message: string;
}

/** Parsed files, shared by all programs of a process: the libraries and the client are parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

export interface CompileOptions {
  /** Path from the root → text, of files that are in memory only. */
  sources?: ReadonlyMap<string, string>;
  /** The configuration file, from the root. */
  configuration?: string;
  /** Options on top of the configuration's. */
  options?: ts.CompilerOptions;
  /** `true` checks every file of the configuration too; otherwise only the sources are checked. */
  whole?: boolean;
}

/** Type-checks sources with the project's options. In them, `carillon` and its entries are the sources of this project. */
export function compile({
  sources = new Map(),
  configuration = 'tsconfig.json',
  options,
  whole,
}: CompileOptions): Problem[] {
  const file = absolute(configuration);
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const virtual = new Map([...sources].map(([name, text]) => [absolute(name), text]));
  const read = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    absolute(configuration.replace(/[^/]+$/, '')),
    undefined,
    file,
  );
  const settings: ts.CompilerOptions = {
    ...read.options,
    ...options,
    paths: Object.fromEntries(packageEntries().map((entry) => [entry.name, [entry.file]])),
  };
  const roots = [...(whole ? read.fileNames : []), ...virtual.keys()];
  const program = ts.createProgram(roots, settings, createHost(settings, virtual));
  const checked = whole ? [undefined] : [...virtual.keys()].map((name) => program.getSourceFile(name));
  return [
    ...read.errors,
    ...program.getOptionsDiagnostics(),
    ...checked.flatMap((source) => ts.getPreEmitDiagnostics(program, source)),
  ].map(describe);
}

function absolute(path: string): string {
  return join(repositoryRoot, path).split(sep).join('/');
}

/** A compiler's view of the disk, with files in memory on top, that parses each file on disk once for all programs. */
export function createHost(
  options: ts.CompilerOptions,
  virtual: ReadonlyMap<string, string> = new Map(),
): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => virtual.has(name) || fileExists(name);
  host.readFile = (name) => virtual.get(name) ?? readFile(name);
  host.getSourceFile = (name, settings, ...rest) => {
    if (virtual.has(name)) return getSourceFile(name, settings, ...rest);
    const key = `${name} ${JSON.stringify(settings)}`;
    if (!parsed.has(key)) parsed.set(key, getSourceFile(name, settings, ...rest));
    return parsed.get(key);
  };
  return host;
}

function describe({ file, start = 0, messageText }: ts.Diagnostic): Problem {
  const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
  // An expected error that does not come is reported in the line above the one that compiled.
  const near = file?.text
    .split('\n', line + 2)
    .slice(line)
    .join(' ')
    .slice(0, 300);
  return {
    file: file ? relative(repositoryRoot, file.fileName).split(sep).join('/') : '',
    line: line + 1,
    message: `${ts.flattenDiagnosticMessageText(messageText, ' ')} at: ${near}`,
  };
}
