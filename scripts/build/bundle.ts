import { join } from 'node:path';
import { rollup } from 'rollup';
import type { Entry } from './entries.ts';

/** Node's modules, the dependency of the client, and optional packages that users install for the entries that need them. */
const external = /^(?:node:\w+|openapi-fetch|csv-parse|hono|pg|pg-boss|zod|@opentelemetry\/api)(?:\/|$)/;

const formats = [
  { format: 'es', extension: '.js' },
  { format: 'cjs', extension: '.cjs' },
] as const;

/**
 * Bundles the compiled modules, as ES modules and as CommonJS. What several entries use is in `chunks/`.
 *
 * @param scripts - folder of the compiled modules
 * @param output - folder for the bundles
 */
export async function bundle(entries: Entry[], scripts: string, output: string): Promise<void> {
  const build = await rollup({
    input: Object.fromEntries(entries.map(({ name, source }) => [name, join(scripts, source.replace(/\.ts$/, '.js'))])),
    external: (id) => external.test(id),
    // A warning means a mistake in the build, such as two chunks that import each other.
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  try {
    for (const { format, extension } of formats) {
      await build.write({
        dir: output,
        format,
        entryFileNames: `[name]${extension}`,
        chunkFileNames: `chunks/[name]${extension}`,
        generatedCode: 'es2015',
        exports: 'named',
        // All external packages mark their CommonJS form as a module, and their exports do not change.
        interop: 'esModule',
        externalLiveBindings: false,
        // Keep names and the order of imports as in the source.
        minifyInternalExports: false,
        hoistTransitiveImports: false,
      });
    }
  } finally {
    await build.close();
  }
}
