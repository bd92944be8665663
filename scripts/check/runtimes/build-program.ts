import { join } from 'node:path';
import { build } from 'esbuild';

/** Turns the program on tracing into a module. */
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
 * Turns the program of an installed project into what runtimes take: modules for those that resolve packages by
 * themselves, bundles for workers and pages.
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
