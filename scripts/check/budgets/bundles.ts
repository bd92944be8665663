import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { repositoryRoot } from '../../spec/files.ts';

/** Size in bytes of a program that creates the client of one entry, bundled for browsers from the built files. */
export async function measureBundle(entry: string): Promise<number> {
  const create = await creationFunction(entry);
  return measureProgram(
    `import { ${create} } from '${entry}';
globalThis.api = ${create}({ baseUrl: 'https://api.example.com', auth: null });`,
    repositoryRoot,
  );
}

/**
 * Size in bytes of a program, bundled, minified and gzipped.
 *
 * @param folder - folder that imports are resolved from
 */
export async function measureProgram(contents: string, folder: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild returned no bundle');
  return gzipSync(output.contents, { level: 9 }).length;
}

/** The name of an entry's factory: `createClient`, `createCrmClient`, … */
async function creationFunction(entry: string): Promise<string> {
  const names = Object.keys(await import(entry)).filter((name) => /^create\w*Client$/.test(name));
  const [name] = names;
  if (!name || names.length > 1) throw new Error(`${entry} should export one function that creates a client`);
  return name;
}
