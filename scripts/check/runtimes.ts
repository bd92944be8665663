/** `npm run runtimes`: installs the packed package as users do, and runs it on every supported runtime. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
async function runMatrix(folder: string): Promise<number> {
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
    installLocked('nextjs', join(folder, 'nextjs'), tarballs),
  ]);
  const server = await serve(mockOf(await loadPrismOperations()), { port: 0 });
  const steps: Step[] = [
    ...listRuns(server.url).map((run) => ({ name: run.name, run: () => execute(run, join(folder, run.project)) })),
    ...listNextSteps(join(folder, 'nextjs')),
  ];
  let failed = 0;
  try {
    // One after another, so that the times are meaningful.
    for (const { name, run } of steps) {
      const { failure, milliseconds } = await run();
      const mark = failure === undefined ? 'ok    ' : 'FAILED';
      console.log(`${mark} ${name.padEnd(34)} ${(milliseconds / 1000).toFixed(2).padStart(6)} s`);
      if (failure === undefined) continue;
      console.error(failure.replaceAll(/^/gm, '         '));
      failed += 1;
    }
  } finally {
    await server.close();
  }
  return failed;
}

const about = 'Tests the packed package on every supported runtime. Downloads 750 MB of runtimes once.';

export function runRuntimes(args: string[]): Promise<number> {
  return runCommand(createCommand('npm run runtimes --', about), args, () =>
    reportFailure('The package was not tested', tryAll),
  );
}

async function tryAll(): Promise<number> {
  await provideRuntimes();
  const folder = await mkdtemp(join(tmpdir(), 'carillon-runtimes-'));
  try {
    const failed = await runMatrix(folder);
    if (failed > 0) console.error(`\n${failed} failed.`);
    return failed > 0 ? 1 : 0;
  } finally {
    // A process that `next dev` leaves behind may still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
