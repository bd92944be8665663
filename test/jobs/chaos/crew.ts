import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import type { WorkerSettings } from './worker-program.ts';

/** The program in one file, because a process that loads all modules from their sources takes most of its short life for it. */
const program = join(repositoryRoot, '.cache', `jobs-worker-${process.pid}.mjs`);
let isBundled = false;

function bundle(): void {
  if (isBundled) return;
  buildSync({
    absWorkingDir: repositoryRoot,
    entryPoints: ['test/jobs/chaos/worker-program.ts'],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  process.once('exit', () => rmSync(program, { force: true }));
  isBundled = true;
}

/** A worker in a process of its own. */
export interface Worker {
  readonly process: ChildProcess;
  /** Resolves when its modules are loaded. */
  readonly isLoaded: Promise<unknown>;
  /** Lets it begin. */
  begin(): void;
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
  const begin = (): void => void child.stdin.write('begin\n');
  // A process that ends first is seen by its exit.
  child.stdin.on('error', () => undefined);
  const isLoaded = Promise.race([once(lines, 'line'), once(child, 'exit')]);
  const worker: Worker = { process: child, isLoaded, begin, answered, errors: '' };
  lines.on('line', (line) => {
    const key = /^answered (.+)$/.exec(line)?.[1];
    if (key) answered.set(key, Date.now());
  });
  child.stderr.on('data', (data) => {
    worker.errors += data;
  });
  return worker;
}

/** Ends a worker with -9, as a machine that loses power. */
export async function kill(worker: Worker): Promise<void> {
  if (worker.process.exitCode !== null || worker.process.signalCode !== null) return;
  worker.killedAt = Date.now();
  const exit = once(worker.process, 'exit');
  worker.process.kill('SIGKILL');
  await exit;
}

/** Lets a worker end after the requests in flight. */
export async function dismiss(worker: Worker): Promise<void> {
  if (worker.process.exitCode !== null || worker.process.signalCode !== null) return;
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
