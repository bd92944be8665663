import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that need more than their own process. All others are fast. */
const system = 'test/**/*.system.test.ts';
/** Those that use the built packages. */
const packages = ['test/{cli,sandbox}/**', 'test/scripts/{release,samples}', 'test/system/{guides,package,readme}'].map(
  inFolder,
);
/** Those that read the built docs, and those in a browser. */
const site = ['test/scripts/docs', 'test/system/browser'].map(inFolder);
/** Those of jobs, with a Postgres. */
const jobs = inFolder('test/jobs/**');

function inFolder(folder: string): string {
  return `${folder}/*.system.test.ts`;
}

/** What a test starts finds built packages, as users do. npm gives its scripts the condition that `execArgv` gives to the tests. */
const env = { NODE_OPTIONS: '' };

/** What all projects have. */
const common = {
  // Node imports the sources itself, as it does for users. Vite finds other files of @opentelemetry/api and no tsconfig of the docs.
  experimental: { viteModuleRunner: false },
  // Processes, because `process.env.TZ` has no effect in a thread; without isolation, each loads a module once.
  pool: 'forks' as const,
  execArgv: ['--conditions=carillon-source'],
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  setupFiles: ['test/support/setup/restore.ts'],
};

/** Compilers, linters and browsers take seconds to start: generous limits, so that a slow machine is not a red test. */
const slow = { ...common, env, testTimeout: 60_000, hookTimeout: 300_000 };

export default defineConfig(({ mode }) => ({
  test: {
    // One more than cores: tests of browsers and of jobs also wait. On two cores, a run takes 253 s instead of 288.
    maxWorkers: availableParallelism() + 1,
    coverage: {
      // Of the tests' own processes: commands that they start, and what runs in Chromium, are not counted.
      include: ['src/**/*.ts'],
      exclude: ['src/*/bin/**', 'src/*/dist/**', 'src/sandbox/inspector/**', 'src/sandbox/page/main.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
      reportsDirectory: 'coverage-report',
      thresholds: {
        statements: 95,
        branches: 90,
        functions: 95.5,
        lines: 96,
        'src/client/core/**': { statements: 99, branches: 98, functions: 98, lines: 99.5 },
        'src/sandbox/**': { statements: 98, branches: 95, functions: 98, lines: 99 },
      },
    },
    projects: [
      {
        test: {
          ...common,
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [system],
          // `npm run test:nightly`: properties draw many more samples.
          env: { ...env, ...(mode === 'nightly' && { FAST_CHECK_SCALE: '50' }) },
          testTimeout: mode === 'nightly' ? 900_000 : 30_000,
        },
      },
      { test: { ...slow, name: 'system', include: [system], exclude: [jobs, ...packages, ...site] } },
      { test: { ...slow, name: 'jobs', include: [jobs], globalSetup: ['test/support/setup/postgres.ts'] } },
      { test: { ...slow, name: 'packages', include: packages, globalSetup: ['test/support/setup/packages.ts'] } },
      { test: { ...slow, name: 'site', include: site, globalSetup: ['test/support/setup/site.ts'] } },
    ],
  },
}));
