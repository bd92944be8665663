import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Servers, compilers and a browser start in some files: generous limits, so that a slow machine is not a red test.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
