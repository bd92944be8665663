import { join, relative } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/**
 * Returns what the compiler reports for programs that import the client, with the project's own options and stricter ones.
 * `carillon` is the source of the client.
 *
 * @param texts - programs that are in memory only: absolute path → text
 */
export function compilePrograms(texts: ReadonlyMap<string, string>): string[] {
  const configuration = ts.readConfigFile(join(repositoryRoot, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...configuration.config, include: [], files: [...texts.keys()] },
    ts.sys,
    repositoryRoot,
  );
  options.paths = { carillon: [join(repositoryRoot, 'src', 'index.ts')] };
  Object.assign(options, { noUnusedLocals: true, exactOptionalPropertyTypes: true });
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  const program = ts.createProgram([...texts.keys()], options, host);
  return [
    ...program.getOptionsDiagnostics(),
    ...[...texts.keys()].flatMap((name) => ts.getPreEmitDiagnostics(program, program.getSourceFile(name))),
  ].map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    const where = file ? `${relative(repositoryRoot, file.fileName)}:${line}: ` : '';
    return where + ts.flattenDiagnosticMessageText(messageText, ' ');
  });
}
