import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { repositoryRoot } from '../spec/files.ts';

/** Bytes of a program that makes a client of one entry, as a page would load it; the entry leads to the built files. */
export async function measureBundle(entry: string): Promise<number> {
  const create = await creationFunction(entry);
  return measureProgram(
    `import { ${create} } from '${entry}';
globalThis.api = ${create}({ baseUrl: 'https://api.example.com', auth: null });`,
    repositoryRoot,
  );
}

/**
 * Bytes of a program, bundled, minified and gzipped.
 *
 * @param folder - where it is thought to stand; what it imports is looked up from there
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
  if (!output) throw new Error('esbuild gives no bundle');
  return gzipSync(output.contents, { level: 9 }).length;
}

/** Each entry has one: `createClient`, `createCrmClient`, … */
async function creationFunction(entry: string): Promise<string> {
  const names = Object.keys(await import(entry)).filter((name) => /^create\w*Client$/.test(name));
  const [name] = names;
  if (!name || names.length > 1) throw new Error(`${entry} should export one function that creates a client`);
  return name;
}
