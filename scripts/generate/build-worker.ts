/** The thread of {@link buildInThread}: builds the output for each message. */
import { parentPort } from 'node:worker_threads';
import { buildOutput } from './build.ts';
import type { Answer } from './build-in-thread.ts';

parentPort?.on('message', async () => {
  const answer: Answer = await buildOutput().then(
    (output) => ({ output }),
    (error: unknown) => ({ error }),
  );
  parentPort?.postMessage(answer);
});
