import { defineConfig } from 'vitest/config';

/** The fast tests of the client. */
export default defineConfig({
  test: {
    include: ['test/client/**/*.test.ts'],
    exclude: ['test/**/*.{system,ci,packed,site,nightly}.test.ts'],
    execArgv: ['--conditions=carillon-source'],
    experimental: { viteModuleRunner: false },
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    setupFiles: ['test/support/setup/restore.ts'],
    // Stryker itself ends tests that take much longer than usual.
    testTimeout: 300_000,
  },
});
