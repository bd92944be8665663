import { defineConfig } from 'vitest/config';

/** The tests of the client that run in process, as the project **fast** runs them. */
export default defineConfig({
  test: {
    include: ['test/{unit,outcomes,secrets,tokens,tracing}/*.test.ts'],
    exclude: [
      'test/**/*.{tools,system}.test.ts',
      'test/**/redis.test.ts',
      // They test the generator and the build.
      'test/unit/{generate*,build*,report,coverage}.test.ts',
    ],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 30_000,
  },
});
