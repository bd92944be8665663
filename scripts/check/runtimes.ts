/** `npm run runtimes`: installs the packed package as users do, and runs it on every supported runtime. */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mockOf } from '../../src/mock/create-mock.ts';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { loadPrismOperations } from '../build/prism-operations.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { buildProgram, buildTracing } from './runtimes/build-program.ts';
import { execute, type Step } from './runtimes/execute.ts';
import { writeGuideTests } from './runtimes/guide-test.ts';
import { listRuns } from './runtimes/matrix.ts';
import { listNextSteps } from './runtimes/next.ts';
import { install, installLocked, local, openTelemetry, pack } from './runtimes/package.ts';
import { provideRuntimes } from './runtimes/provide.ts';

/** Runs the matrix in a folder. Returns the number of runs that failed. */
async function runMatrix(folder: string, all: boolean): Promise<number> {
  const tarballs = (await pack(folder)).map(({ tarball }) => tarball);
  // From the registry, because the package's manifest decides what users get. In parallel, because most of the time is
  // spent waiting.
  await Promise.all([
    install('program', join(folder, 'program'), tarballs).then(() => buildProgram(join(folder, 'program'))),
    install('typescript', join(folder, 'typescript'), [...tarballs, ...local('@types/node', 'undici-types')]),
    install('jest', join(folder, 'jest'), tarballs).then(() => writeGuideTests(join(folder, 'jest'))),
    install('tracing', join(folder, 'tracing'), [...tarballs, ...local(...openTelemetry())]).then(() =>
      buildTracing(join(folder, 'tracing')),
    ),
    all && installLocked('nextjs', join(folder, 'nextjs'), tarballs),
  ]);
  const server = await serve(mockOf(await loadPrismOperations()), { port: 0 });
  // The steps of Next.js take longest, and need each other.
  const chains: Step[][] = [
    all ? listNextSteps(join(folder, 'nextjs')) : [],
    ...listRuns(server.url, { all }).map((run) => [
      { name: run.name, run: () => execute(run, join(folder, run.project)) },
    ]),
  ];
  const queue = chains.values();
  let failed = 0;
  const work = async (): Promise<void> => {
    for (const steps of queue) for (const step of steps) if (!(await report(step))) failed += 1;
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  } finally {
    await server.close();
  }
  return failed;
}

/** Runs a step and prints its line. Resolves to `true` if it did not fail. */
async function report({ name, run }: Step): Promise<boolean> {
  const { failure, milliseconds } = await run();
  const mark = failure === undefined ? 'ok    ' : 'FAILED';
  console.log(`${mark} ${name.padEnd(34)} ${(milliseconds / 1000).toFixed(2).padStart(6)} s`);
  if (failure !== undefined) console.error(failure.replaceAll(/^/gm, '         '));
  return failure === undefined;
}

const about = 'Tests the packed package on every supported runtime. Downloads 750 MB of runtimes once.';

export function runRuntimes(args: string[]): Promise<number> {
  const command = createCommand('npm run runtimes --', about).option(
    '--all',
    'also versions of Node between the oldest and the newest, each undici on each Node, and Next.js',
  );
  return runCommand<{ all?: true }>(command, args, ({ all = false }) =>
    reportFailure('The package was not tested', () => tryAll(all)),
  );
}

async function tryAll(all: boolean): Promise<number> {
  await provideRuntimes();
  const folder = await mkdtemp(join(tmpdir(), 'carillon-runtimes-'));
  try {
    const failed = await runMatrix(folder, all);
    if (failed > 0) console.error(`\n${failed} failed.`);
    return failed > 0 ? 1 : 0;
  } finally {
    // A process that `next dev` leaves behind may still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
