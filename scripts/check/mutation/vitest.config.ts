import { defineConfig } from 'vitest/config';

/** The tests of the client that run in process. Stryker runs them in threads, where `process.env.TZ` has no effect. */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/outcomes/*.test.ts', 'test/tracing/*.test.ts'],
    exclude: [
      'test/**/*.system.test.ts',
      'test/unit/generate*',
      'test/unit/report.test.ts',
      'test/unit/coverage.test.ts',
      // It exhausts the stack, which is smaller in a thread.
      'test/outcomes/errors.test.ts',
    ],
    testNamePattern: /^(?!a date without a zone means GMT)/,
    testTimeout: 30_000,
  },
});
