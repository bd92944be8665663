import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles a script for pages as a classic one: browsers load no modules from disk.
 *
 * @param file - path of the program, below this folder
 * @param banner - code that runs before it
 */
export async function bundlePageScript(file: string, banner = ''): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    banner: { js: banner },
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild returned no bundle of ${file}`);
  return output.text;
}
