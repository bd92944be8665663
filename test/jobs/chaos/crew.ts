import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { WorkerSettings } from './worker-program.ts';

const program = join(import.meta.dirname, 'worker-program.ts');

/** A worker in a process of its own. */
export interface Worker {
  readonly process: ChildProcess;
  /** Resolves when it works. */
  readonly isWorking: Promise<unknown>;
  /** Rows whose email had a reply, and when, in milliseconds since 1970. */
  readonly answered: Map<string, number>;
  /** When it was killed. */
  killedAt?: number;
  /** Standard error. */
  errors: string;
}

export function startWorker(settings: WorkerSettings): Worker {
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout });
  const answered = new Map<string, number>();
  const worker: Worker = { process: child, isWorking: once(lines, 'line'), answered, errors: '' };
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
  const { readFile } = await import('node:fs/promises');
  for (;;) {
    const status = await readFile(`/proc/${worker.process.pid}/status`, 'utf8');
    if (/^State:\s+T/m.test(status)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
