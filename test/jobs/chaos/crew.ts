import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import type { WorkerSettings } from './worker-program.ts';

/** The worker program bundled with its packages, because loading them one by one would take most of a short-lived worker's time. */
const program = join(repositoryRoot, '.cache', 'jobs-worker.mjs');
let isBundled = false;

function bundle(): void {
  if (isBundled) return;
  const unfinished = `${program}.${process.pid}`;
  buildSync({
    absWorkingDir: repositoryRoot,
    entryPoints: ['test/jobs/chaos/worker-program.ts'],
    outfile: unfinished,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // The sources, which need no build and are never older than the tests.
    conditions: ['carillon-source'],
    // Optional dependencies of pg.
    external: ['pg-native', 'cloudflare:sockets'],
    // CommonJS packages require Node's modules.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
  });
  // Atomic, because other test files use the bundle at the same time. A stable name keeps its compile cache.
  renameSync(unfinished, program);
  isBundled = true;
}

/** A worker in its own process. */
export interface Worker {
  readonly process: ChildProcess;
  /** Resolves when the worker has loaded its modules. */
  readonly isLoaded: Promise<unknown>;
  /** Starts the work, or lets it start once loaded. */
  begin(): void;
  /** Makes the worker stop itself (SIGSTOP) between the commit and the request of the next row. */
  pause(): void;
  /** Number of requests sent. */
  requests: number;
  /** Rows with a response to their email, with the time in milliseconds since 1970. */
  readonly answered: Map<string, number>;
  /** Whether it kills itself at some moment. */
  readonly isMortal: boolean;
  /** Time of the kill, in milliseconds since 1970. */
  killedAt?: number;
  /** Standard error output. */
  errors: string;
}

/**
 * Starts a worker, which waits for `begin`.
 *
 * @param inside - prefix command, such as `ip netns exec`
 */
export function startWorker(settings: WorkerSettings, inside: readonly string[] = []): Worker {
  bundle();
  const [command = '', ...args] = [...inside, process.execPath, program, JSON.stringify(settings)];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout });
  const answered = new Map<string, number>();
  const tell = (line: string) => (): void => void child.stdin.write(`${line}\n`);
  // An early exit is detected by its event.
  child.stdin.on('error', () => undefined);
  const isLoaded = Promise.race([once(lines, 'line'), once(child, 'exit')]);
  const worker: Worker = {
    process: child,
    isLoaded,
    begin: tell('begin'),
    pause: tell('pause'),
    answered,
    requests: 0,
    errors: '',
    isMortal: settings.death !== undefined,
  };
  lines.on('line', (line) => {
    const key = /^answered (.+)$/.exec(line)?.[1];
    if (key) answered.set(key, Date.now());
    if (line === 'request') worker.requests += 1;
  });
  child.stderr.on('data', (data) => {
    worker.errors += data;
  });
  return worker;
}

/** Whether the process has ended. */
export function hasEnded({ process: { exitCode, signalCode } }: Worker): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Kills a worker with -9, which simulates a power failure. */
export async function kill(worker: Worker): Promise<void> {
  if (hasEnded(worker)) return;
  worker.killedAt = Date.now();
  const exit = once(worker.process, 'exit');
  worker.process.kill('SIGKILL');
  await exit;
}

/** Ends a worker after its requests in flight. */
export async function dismiss(worker: Worker): Promise<void> {
  if (hasEnded(worker)) return;
  const exit = once(worker.process, 'exit');
  worker.process.kill('SIGTERM');
  await exit;
}

/** Resolves when Linux reports that the process is stopped (SIGSTOP). */
export async function isStopped(worker: Worker): Promise<void> {
  for (;;) {
    const status = await readFile(`/proc/${worker.process.pid}/status`, 'utf8');
    if (/^State:\s+T/m.test(status)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
