/** The thread of {@link buildInThread}: builds the output for each message. */
import { parentPort } from 'node:worker_threads';
import { buildOutput } from './build.ts';
import type { BuildMessage } from './build-in-thread.ts';

parentPort?.on('message', async () => {
  const message: BuildMessage = await buildOutput().then(
    (output) => ({ output }),
    (error: unknown) => ({ error }),
  );
  parentPort?.postMessage(message);
});
