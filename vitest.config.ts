import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that need more than their own process. All other tests are fast. */
const system = 'test/**/*.system.test.ts';
/** Tests of the project's own tools. */
const tools = 'test/scripts/**/*.test.ts';
/** System tests that use the built packages. */
const packages = ['test/{cli,sandbox}/**', 'test/scripts/samples', 'test/system/{guides,package,readme}'].map(inFolder);
/** System tests that read the built docs, or test what runs on their pages. */
const site = [
  inFolder('test/scripts/docs'),
  'test/system/browser/{copied,docs,policy,redoc,run-sample,search}.system.test.ts',
];
/** System tests that use Postgres: of jobs, and of the data of earlier releases. */
const jobs = ['test/jobs/**', 'test/releases'].map(inFolder);

/**
 * Tests of what is rare or takes long: killed processes, lost and restored databases, the inspector in a browser, attacks at
 * length, other people's generators. `npm test` leaves them to CI, so that a change waits for minutes only.
 */
export const thorough = [
  'test/jobs/{chaos,chaos-restores,failing,killed-worker,late-truth,outage}.system.test.ts',
  'test/jobs/{events,restores}/*.system.test.ts',
  'test/system/browser/*.system.test.ts',
  'test/{client/outcomes/model,sandbox/sqlite-store}/*.system.test.ts',
  'test/cli/{command/each,learn/fixpoint,mcp/attacks,mcp/inspector}.system.test.ts',
  'test/system/{workflows/workflows,guides/specs}.system.test.ts',
];

function inFolder(folder: string): string {
  return `${folder}/*.system.test.ts`;
}

/**
 * Processes that tests start resolve to built packages, as for users. npm sets the condition for its scripts, and
 * `execArgv` sets it for the tests.
 */
const env = { NODE_OPTIONS: '' };

const setup = 'test/support/setup';
const restore = `${setup}/restore.ts`;

/** Settings of all projects. */
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
  // A busy machine takes longer than the second of the default.
  expect: { poll: { timeout: 15_000 } },
  setupFiles: [restore],
};

/** Compilers, linters and browsers take seconds to start, so the limits are generous for slow machines. */
const slow = { ...common, env, testTimeout: 60_000, hookTimeout: 300_000 };

export default defineConfig(({ mode }) => {
  const left = mode === 'change' ? thorough : [];
  return {
    test: {
      // One more than the number of cores, because browser and job tests also wait. On two cores, a run takes 253 s instead
      // of 288.
      maxWorkers: availableParallelism() + 1,
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
            exclude: [system, tools],
            // `npm run test:nightly`: property tests draw many more samples.
            env: { ...env, ...(mode === 'nightly' && { FAST_CHECK_SCALE: '50' }) },
            // Property tests take up to 15 seconds, and several times that on a loaded machine.
            testTimeout: mode === 'nightly' ? 900_000 : 120_000,
          },
        },
        {
          test: {
            ...slow,
            name: 'system',
            include: [system],
            exclude: [tools, ...jobs, ...packages, ...site, ...left],
          },
        },
        {
          test: {
            ...slow,
            name: 'jobs',
            include: jobs,
            exclude: left,
            globalSetup: [`${setup}/postgres.ts`],
            setupFiles: [restore, `${setup}/short-intervals.ts`],
          },
        },
        {
          test: {
            ...slow,
            name: 'packages',
            include: packages,
            exclude: left,
            globalSetup: [`${setup}/packages.ts`],
            setupFiles: [restore, `${setup}/wait-for-packages.ts`],
            // The packages are built beside the tests that do not need them.
            sequence: { groupOrder: 1 },
          },
        },
        { test: { ...slow, name: 'tools', include: [tools], exclude: [...packages, ...site] } },
        {
          test: {
            ...slow,
            name: 'site',
            include: site,
            globalSetup: [`${setup}/site.ts`],
            setupFiles: [restore, `${setup}/wait-for-site.ts`],
            sequence: { groupOrder: 2 },
          },
        },
      ],
    },
  };
});
