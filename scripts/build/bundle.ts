import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rollup } from 'rollup';
import { readSources } from '../../src/sandbox/page/sources.ts';
import type { BuiltModule, Package } from './packages.ts';

/**
 * Bundles the compiled modules of a package: its entries as ES modules and CommonJS, its programs as ES modules. Shared code
 * goes to `chunks/`. Dependencies are not bundled.
 *
 * @param scripts - folder of the compiled modules
 * @param output - folder for the bundles
 */
export async function bundle(one: Package, scripts: string, output: string): Promise<void> {
  const { entries, programs } = one;
  if (entries.length > 0) {
    await write(one, [...entries, ...programs], 'es', 'chunks/', scripts, output);
    await write(one, entries, 'cjs', 'chunks/', scripts, output);
    return;
  }
  // Programs start faster from fewer files, so they share no files.
  for (const program of programs)
    await write(one, [program], 'es', `chunks/${basename(program.name)}-`, scripts, output);
}

async function write(
  { name, dependencies, entries }: Package,
  modules: readonly BuiltModule[],
  format: 'es' | 'cjs',
  prefix: string,
  scripts: string,
  output: string,
): Promise<void> {
  const extension = format === 'es' ? 'js' : 'cjs';
  const build = await rollup({
    input: Object.fromEntries(modules.map(({ name, source }) => [name, join(scripts, source.replace(/\.ts$/, '.js'))])),
    external(id) {
      if (/^[./]/.test(id)) return false;
      const imported = /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id;
      if (!id.startsWith('node:') && !dependencies.includes(imported))
        throw new Error(`${name} imports ${id}, which is not one of its dependencies`);
      return true;
    },
    // Bundlers omit unused data, but not a call of `JSON.parse`.
    plugins: [builtFiles, pageAsText, jsonAsModule, ...(entries.length === 0 ? [dataAsJson] : [])],
    // Do not print the statistics of chunks.
    logLevel: 'warn',
    // A warning means a mistake in the build, such as two chunks that import each other.
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  try {
    await build.write({
      dir: output,
      format,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `${prefix}[name].${extension}`,
      // Node starts faster from fewer files. Bundlers omit unused code.
      experimentalMinChunkSize: 10_000,
      generatedCode: 'es2015',
      exports: 'named',
      // All external packages mark their CommonJS form with `__esModule`, and their exports do not change.
      interop: 'esModule',
      externalLiveBindings: false,
      // Keep names and the order of imports as in the source.
      minifyInternalExports: false,
      hoistTransitiveImports: false,
    });
  } finally {
    await build.close();
  }
}

/** Resolves names in the package's `imports` to the files that the build of the mock writes. */
const builtFiles: Plugin = {
  name: 'built-files',
  resolveId(source, importer = '') {
    const [, name] = /\/src\/mock\/(prism|operations)\.js$/.exec(join(dirname(importer), source)) ?? [];
    return name === undefined ? null : { id: `#${name}`, external: true };
  },
};

/** Imports JSON as a JavaScript module. */
const jsonAsModule: Plugin = {
  name: 'json-as-module',
  transform: (code, id) => (id.endsWith('.json') ? `export default ${code}` : null),
};

/** Writes the data of operations as JSON, which starts faster than JavaScript: https://v8.dev/blog/cost-of-javascript-2019#json */
const dataAsJson: Plugin = {
  name: 'data-as-json',
  async load(id) {
    if (!/\/generated\/\w+\/(?:operations|reference)\.js$/.test(id)) return null;
    const data: Record<string, unknown> = await import(pathToFileURL(id).href);
    // In single quotes, JSON needs few escapes.
    const values = Object.entries(data).map(([name, value]) => [name, JSON.stringify(value).replace(/[\\']/g, '\\$&')]);
    return values.map(([name, json]) => `export const ${name} = JSON.parse('${json}');\n`).join('');
  },
};

/** Replaces the module that reads the sandbox's page from a checkout with the page's text. */
const pageAsText: Plugin = {
  name: 'page-as-text',
  async load(id) {
    if (!/sandbox\/page\/sources\.js$/.test(id)) return null;
    return `export const readSources = async () => (${JSON.stringify(await readSources())});`;
  },
};
