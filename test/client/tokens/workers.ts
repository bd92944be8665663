import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Command, type Report, reportSchema } from './messages.ts';

/** Longest time for a worker, even on a busy machine. */
const patience = 40_000;

export interface Worker {
  /** Sends a command to the worker and returns the result. */
  run(command: Command): Promise<Report>;
  end(): Promise<void>;
}

/** Processes with one client each, which share nothing but Redis. The caller must end them. */
export function startWorkers(count: number): Worker[] {
  return Array.from({ length: count }, () => {
    const child = fork(join(import.meta.dirname, 'worker.ts'), { execArgv: [] });
    return { run: (command) => run(child, command), end: () => end(child) };
  });
}

/** Sends a command to all workers and merges their reports. */
export async function runAll(workers: Worker[], command: Command): Promise<Report> {
  const reports = await Promise.all(workers.map((worker) => worker.run(command)));
  return {
    failures: reports.flatMap(({ failures }) => failures),
    warnings: reports.flatMap(({ warnings }) => warnings),
  };
}

async function run(child: ChildProcess, command: Command): Promise<Report> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error(`No report within ${patience} ms`)), patience);
  const onExit = (code: number | null): void => over.abort(new Error(`The worker ended with ${code}`));
  child.once('exit', onExit);
  try {
    const reported = once(child, 'message', { signal: over.signal });
    child.send(command);
    const [report] = await reported.catch(() => {
      throw over.signal.reason;
    });
    return reportSchema.parse(report);
  } finally {
    clearTimeout(timer);
    child.off('exit', onExit);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}
