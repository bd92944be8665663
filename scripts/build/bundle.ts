import { join, relative, resolve, sep } from 'node:path';
import { type Plugin, rollup } from 'rollup';
import type { BuiltModule } from './entries.ts';

/** Node's modules, the dependency of the client, and optional packages that users install for the entries that need them. */
const external = /^(?:node:\w+|openapi-fetch|csv-parse|hono|pg|pg-boss|zod|@opentelemetry\/api)(?:\/|$)/;

const formats = { es: '.js', cjs: '.cjs' } as const;

/**
 * Bundles the compiled modules into a few files, as ES modules and as CommonJS with the same chunks.
 *
 * @param scripts - folder of the compiled modules
 * @param output - folder for the bundles
 */
export async function bundle(modules: BuiltModule[], scripts: string, output: string): Promise<void> {
  await bundleAs('es', modules, scripts, output);
  await bundleAs('cjs', modules, scripts, output);
}

async function bundleAs(format: keyof typeof formats, modules: BuiltModule[], scripts: string, output: string) {
  const extension = formats[format];
  const inputs = Object.fromEntries(
    modules.map(({ name, source }) => [name, join(scripts, source.replace(/\.ts$/, '.js'))]),
  );
  const build = await rollup({
    input: inputs,
    external: (id) => external.test(id),
    plugins: [keepApart(inputs, scripts, extension)],
    // A warning means a mistake in the build, such as two chunks that import each other.
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  try {
    await build.write({
      dir: output,
      format,
      entryFileNames: `[name]${extension}`,
      chunkFileNames: `chunks/[name]${extension}`,
      manualChunks: (id) => chunkOf(relative(scripts, id).replaceAll(sep, '/')),
      generatedCode: 'es2015',
      exports: 'named',
      // All external packages mark their CommonJS form as a module, and their exports do not change.
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

/**
 * A built module that imports another one (`export * as Crm from './parts/crm.ts'`) keeps the import. Rollup would turn the namespace
 * into an object, which other bundlers cannot tree-shake.
 */
function keepApart(inputs: Record<string, string>, scripts: string, extension: string): Plugin {
  const names = new Map(Object.entries(inputs).map(([name, file]) => [file, name]));
  // In Rollup, a file cannot be both a module and external. A mark in the name keeps them apart until the text is written.
  const mark = '.built';
  return {
    name: 'keep-apart',
    resolveId(source, importer) {
      const name = importer && source.startsWith('.') && names.get(resolve(importer, '..', source));
      return name ? { id: join(scripts, 'src', `${name}${mark}${extension}`), external: 'relative' } : undefined;
    },
    renderChunk: (code) => code.replaceAll(`${mark}${extension}`, extension),
  };
}

/**
 * The chunk of a module. Rollup assigns the other modules by the entries that need them. Without this function,
 * `import 'carillon'` would load twice as many files, and opening files takes most of the time of an import.
 *
 * @param path - path of the compiled module, such as `src/core/retry.js`
 */
export function chunkOf(path: string): string | undefined {
  if (/^src\/(?:core\/|(?:assemble|common|namespace|token)\.js$)/.test(path)) return 'core';
  // Small data: a separate file would cost more import time than reading it saves.
  if (/^generated\/[^/]+\/(?:operations|token)\.js$/.test(path)) return 'core';
  if (/^generated\/[^/]+\/(?:details|validators)\.js$/.test(path)) return 'validators';
  // The rest of a spec is in the file of its namespace, which exports all of it.
  const [, part] =
    /^generated\/([^/]+)\/(?:methods|models)\.js$/.exec(path) ?? /^src\/parts\/(\w+)\.js$/.exec(path) ?? [];
  return part && `parts/${part}`;
}
