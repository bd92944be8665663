import { defineConfig } from 'vitest/config';

/** The fast tests of the client. */
export default defineConfig({
  test: {
    include: ['test/client/**/*.test.ts'],
    exclude: ['test/**/*.system.test.ts'],
    execArgv: ['--conditions=carillon-source'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 30_000,
  },
});
