import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Runs the rule tests of the checkout in `RECORD_RELEASE` with the recorder. */
export default defineConfig({
  root: process.env.RECORD_RELEASE ?? '',
  test: {
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    execArgv: ['--conditions=carillon-source'],
    isolate: false,
    maxWorkers: 2,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 60_000,
    globals: true,
    setupFiles: [join(import.meta.dirname, 'recorder.ts')],
    exclude: ['**/node_modules/**', '**/*.system.test.ts'],
  },
});
