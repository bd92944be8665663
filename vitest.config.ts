import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { projectFiles } from './test/projects.ts';
import Sequencer from './test/support/sequencer.ts';

// Every process of a run loads compilers and linters, and so do the commands that it starts: Node compiles them once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache', 'compile');

/** Node imports the sources itself, as it does for users and scripts: no test needs Vite's transforms or mocked modules. */
const native = { viteModuleRunner: false, nodeLoader: false };

/** Sandboxes, replies and syntax trees soon go: with more room for them, a tenth of the processor time is saved. */
const execArgv = ['--max-semi-space-size=64', '--conditions=carillon-source'];

/** What a test starts finds built packages, as users do. npm gives its scripts the condition that `execArgv` gives to the tests. */
const env = { NODE_OPTIONS: '' };

export default defineConfig(({ mode }) => ({
  test: {
    // One more than cores: tests of browsers and of jobs also wait. On two cores, a run takes 253 s instead of 288.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: Sequencer },
    coverage: {
      // Of the tests' own processes: commands that they start are not counted.
      include: ['src/**/*.ts'],
      exclude: ['src/*/bin/**', 'src/*/dist/**'],
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
          name: 'fast',
          experimental: native,
          // `npm run test:nightly`: properties draw many more samples.
          env: { ...env, ...(mode === 'nightly' && { FAST_CHECK_SCALE: '50' }) },
          ...projectFiles('fast'),
          // Processes, because `process.env.TZ` has no effect in a thread; without isolation, each loads a module once.
          pool: 'forks',
          execArgv,
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
          testTimeout: mode === 'nightly' ? 900_000 : 30_000,
        },
      },
      {
        test: {
          name: 'tools',
          experimental: native,
          ...projectFiles('tools'),
          env,
          pool: 'forks',
          execArgv,
          // A compiler, a linter or Prism takes longer to load than most files take to run.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
          // Compilers, linters and Prism take seconds to start: generous limits, so that a slow machine is not a red test.
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'system',
          experimental: native,
          ...projectFiles('system'),
          env,
          pool: 'forks',
          // What these files import (the client, the sandbox, the specs, Playwright) takes longer to load than many take to run.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
          globalSetup: ['test/support/once/setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
}));
