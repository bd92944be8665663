import { basename, join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** One thing that the compiler refuses, with the source that it stands in. */
export interface Problem {
  file: string;
  message: string;
}

/** Compiles sources as if they stood beside this file, with the project's own options. */
export function compile(sources: ReadonlyMap<string, string>): Problem[] {
  const files = new Map([...sources].map(([name, text]) => [join(import.meta.dirname, name), text]));
  const { config } = ts.readConfigFile(join(repositoryRoot, 'tsconfig.json'), ts.sys.readFile);
  const only = { ...config, include: [], files: [...files.keys()] };
  const { options } = ts.parseJsonConfigFileContent(only, ts.sys, repositoryRoot);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
    // An expected error that does not come is told of the line above the one that compiled.
    const near = file?.text
      .split('\n', line + 2)
      .slice(line)
      .join(' ')
      .slice(0, 300);
    const message = `${ts.flattenDiagnosticMessageText(messageText, ' ')} at: ${near}`;
    return { file: basename(file?.fileName ?? ''), message };
  });
}
