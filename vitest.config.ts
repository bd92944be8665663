import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Kinds of tests that need more than their own process, by the last part of their names: `kill.packed.test.ts`. */
const kinds = ['system', 'ci', 'packed', 'site', 'nightly'] as const;
const filesOf = (kind: (typeof kinds)[number]): string => `test/**/*.${kind}.test.ts`;

const setup = 'test/support/setup';
const restore = `${setup}/restore.ts`;

export default defineConfig(({ mode }) => {
  /**
   * For the tests' own process, and for those that they start, which resolve to built packages, as for users. npm sets the condition
   * `carillon-source` for its scripts, and `execArgv` sets it for the tests. Node keeps what it compiled, which halves the processor
   * time of a started process.
   */
  const env = {
    NODE_OPTIONS: '',
    NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache', 'compiled'),
    TEST_MODE: mode,
  };
  const common = {
    // Node imports the sources itself, as for users. Vite resolves @opentelemetry/api to other files, and does not find
    // the tsconfig of the docs.
    experimental: { viteModuleRunner: false },
    // Processes, because `process.env.TZ` has no effect in a thread. Without isolation, each process loads a module once.
    pool: 'forks' as const,
    execArgv: ['--conditions=carillon-source'],
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // A busy machine takes longer than the second of the default, and others need not wait for 50 ms.
    expect: { poll: { timeout: 15_000, interval: 5 } },
    setupFiles: [restore],
    env,
  };
  /** Compilers, linters and browsers take seconds to start, so the limits are generous for slow machines. */
  const slow = { ...common, testTimeout: 60_000, hookTimeout: 300_000 };
  const withPostgres = {
    ...slow,
    globalSetup: [`${setup}/postgres.ts`],
    setupFiles: [restore, `${setup}/short-intervals.ts`],
  };
  const withPackages = {
    ...slow,
    globalSetup: [`${setup}/packages.ts`],
    setupFiles: [restore, `${setup}/wait-for-packages.ts`],
    // The packages are built beside the tests that do not need them.
    sequence: { groupOrder: 1 },
  };
  return {
    test: {
      // One more than the number of cores, because browser and job tests also wait. On two cores, a run takes 253 s instead
      // of 288.
      maxWorkers: availableParallelism() + 1,
      reporters: ['default', './test/support/slowest-files.ts'],
      coverage: {
        // Covers only the tests' own processes, not commands that they start or code in Chromium.
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
            exclude: kinds.map(filesOf),
            // Property tests take up to 15 seconds, and several times that on a loaded machine.
            testTimeout: mode === 'nightly' ? 900_000 : 120_000,
          },
        },
        { test: { ...withPostgres, name: 'system', include: [filesOf('system')] } },
        { test: { ...withPostgres, name: 'ci', include: [filesOf('ci')] } },
        { test: { ...withPackages, name: 'packed', include: [filesOf('packed')] } },
        {
          test: {
            ...slow,
            name: 'site',
            include: [filesOf('site')],
            globalSetup: [`${setup}/site.ts`],
            setupFiles: [restore, `${setup}/wait-for-site.ts`],
            sequence: { groupOrder: 2 },
          },
        },
        {
          test: {
            ...withPackages,
            name: 'nightly',
            include: [filesOf('nightly')],
            globalSetup: [`${setup}/postgres.ts`, `${setup}/packages.ts`],
          },
        },
      ],
    },
  };
});
