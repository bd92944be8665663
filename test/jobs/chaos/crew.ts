import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import type { WorkerSettings } from './worker-program.ts';

/** The program with all its packages in one file, because a process that loads them one by one takes most of its short life for it. */
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
    // Optional parts of pg.
    external: ['pg-native', 'cloudflare:sockets'],
    // Packages in CommonJS require modules of Node.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
  });
  // Other test files use it at the same time. Under one name, its compiled code is kept between runs.
  renameSync(unfinished, program);
  isBundled = true;
}

/** A worker in a process of its own. */
export interface Worker {
  readonly process: ChildProcess;
  /** Resolves when its modules are loaded. */
  readonly isLoaded: Promise<unknown>;
  /** Lets it begin, also before it is loaded. */
  begin(): void;
  /** Lets it stop itself (SIGSTOP) between the commit and the request of the next row. */
  pause(): void;
  /** Number of its requests. */
  requests: number;
  /** Rows whose email had a reply, and when, in milliseconds since 1970. */
  readonly answered: Map<string, number>;
  /** When it was killed. */
  killedAt?: number;
  /** Standard error. */
  errors: string;
}

/**
 * Starts a worker, which waits until it may begin.
 *
 * @param inside - a command that runs another one, such as `ip netns exec`
 */
export function startWorker(settings: WorkerSettings, inside: readonly string[] = []): Worker {
  bundle();
  const [command = '', ...args] = [...inside, process.execPath, program, JSON.stringify(settings)];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout });
  const answered = new Map<string, number>();
  const tell = (line: string) => (): void => void child.stdin.write(`${line}\n`);
  // A process that ends first is seen by its exit.
  child.stdin.on('error', () => undefined);
  const isLoaded = Promise.race([once(lines, 'line'), once(child, 'exit')]);
  const worker: Worker = {
    ...{ process: child, isLoaded, begin: tell('begin'), pause: tell('pause') },
    ...{ answered, requests: 0, errors: '' },
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

/** Ends a worker with -9, as a machine that loses power. */
export async function kill(worker: Worker): Promise<void> {
  if (hasEnded(worker)) return;
  worker.killedAt = Date.now();
  const exit = once(worker.process, 'exit');
  worker.process.kill('SIGKILL');
  await exit;
}

/** Lets a worker end after the requests in flight. */
export async function dismiss(worker: Worker): Promise<void> {
  if (hasEnded(worker)) return;
  const exit = once(worker.process, 'exit');
  worker.process.kill('SIGTERM');
  await exit;
}

/** Resolves when the process has been stopped (SIGSTOP), as Linux reports it. */
export async function isStopped(worker: Worker): Promise<void> {
  for (;;) {
    const status = await readFile(`/proc/${worker.process.pid}/status`, 'utf8');
    if (/^State:\s+T/m.test(status)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
