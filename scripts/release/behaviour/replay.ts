import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Sandboxes from '../../../src/sandbox/index.ts';
import { type Recorded, type Reply, readReply } from './exchange.ts';

/** The built sandbox of a release. */
export function loadSandboxes(release: string): Promise<typeof Sandboxes> {
  return import(pathToFileURL(join(release, 'src', 'sandbox', 'dist', 'index.js')).href);
}

/** Timeout for a reply, in milliseconds. */
const patience = 10_000;

/** Sends recorded requests to a new sandbox. Returns the reply of each step, by index. */
export async function replay(
  { options, steps }: Recorded,
  { createSandbox }: Pick<typeof Sandboxes, 'createSandbox'>,
): Promise<(Reply | undefined)[]> {
  const sandbox = createSandbox(options);
  const replies: (Reply | undefined)[] = [];
  for (const [at, step] of steps.entries()) {
    if ('advance' in step) sandbox.clock.advance(step.advance);
    else if ('freeze' in step) sandbox.clock.freeze(step.freeze);
    else {
      const { method, path, headers, body } = step.request;
      const init = { method, headers, signal: AbortSignal.timeout(patience), ...(body !== undefined && { body }) };
      // A server would answer 500 if the sandbox throws.
      replies[at] = await sandbox.fetch(`https://sandbox.example.com${path}`, init).then(
        async (response) => readReply(response.status, response.headers, await response.text()),
        (error: unknown): Reply => ({ status: 500, body: String(error) }),
      );
    }
  }
  return replies;
}
