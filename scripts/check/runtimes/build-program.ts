import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles the tracing program as a module. */
export async function buildTracing(folder: string): Promise<void> {
  const entryPoints = [join(folder, 'tracing.ts')];
  await build({
    absWorkingDir: folder,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    entryPoints,
    outdir: folder,
  });
}

/**
 * Builds the program of an installed project for each runtime: modules for runtimes that resolve packages, bundles for
 * workers and browsers.
 */
export async function buildProgram(folder: string): Promise<void> {
  const source = (name: string): string => join(folder, `${name}.ts`);
  const common = { absWorkingDir: folder, format: 'esm', target: 'es2022', logLevel: 'silent' } as const;
  await build({ ...common, entryPoints: ['program', 'main'].map(source), outdir: folder });
  for (const name of ['worker', 'page']) {
    await build({
      ...common,
      entryPoints: [source(name)],
      bundle: true,
      outfile: join(folder, `${name}.bundle.js`),
      platform: 'browser',
    });
  }
}
