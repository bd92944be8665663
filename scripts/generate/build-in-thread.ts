import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Output } from './output.ts';

/** Message from the thread. */
export type BuildMessage = { output: Output } | { error: unknown };

/** Kept for the next build, because the generators take seconds to load. */
let idle: Worker | undefined;

/**
 * Builds the output in a thread, beside the lint.
 *
 * @param signal - ends the thread. A generator may never finish with a spec that has findings.
 */
export async function buildInThread(signal: AbortSignal): Promise<Output> {
  const worker = idle ?? new Worker(new URL('./build-worker.ts', import.meta.url));
  idle = undefined;
  worker.ref();
  worker.postMessage('build');
  try {
    const [message]: BuildMessage[] = await once(worker, 'message', { signal });
    if (!message || 'error' in message) throw message?.error;
    return message.output;
  } finally {
    if (signal.aborted) await worker.terminate();
    else idle = worker;
    // Does not keep the process running.
    worker.unref();
  }
}
