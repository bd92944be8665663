import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Attempt, guardFetch, runAttempt } from '../../../src/jobs/work/attempt.ts';

async function startServer(): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests };
}

/** A request as the client makes it. */
const post = {
  method: 'POST',
  body: '{}',
  headers: { 'content-type': 'application/json' },
  signal: new AbortController().signal,
  redirect: 'manual',
} as const;

/** An attempt that is fresh as often as `looks` says, and has passed the hook. */
function attemptOf(looks: number): Attempt {
  let count = 0;
  return {
    account: 'a',
    deadline: 1_000,
    writeCall: 1,
    writeOperation: 'createTag',
    hold: {
      isFresh() {
        count += 1;
        return count <= looks;
      },
      pace: async () => undefined,
      confirm: async () => undefined,
    },
  };
}

test.each([
  ['that was handed to fetch', 1],
  ['that has a connection', 2],
])('a request %s before a stop does not leave after it', async (_, looks) => {
  const { url, requests } = await startServer();
  const send = guardFetch(undefined);
  const stopped = attemptOf(looks);
  await expect(runAttempt(stopped, () => send(url, post))).rejects.toThrow();
  expect(requests()).toBe(0);
  expect(stopped.heldBack?.message).toContain('suspended before the request was sent');
  // Nothing of the row is on its way.
  expect(stopped.writeOperation).toBeUndefined();
  const fresh = attemptOf(9);
  expect((await runAttempt(fresh, () => send(url, post))).status).toBe(200);
  expect(requests()).toBe(1);
});

test("for the user's own fetch, the check is before it", async () => {
  let calls = 0;
  const send = guardFetch(async () => {
    calls += 1;
    return new Response('{}');
  });
  await expect(runAttempt(attemptOf(0), () => send('http://x/', post))).rejects.toThrow('suspended before');
  expect(calls).toBe(0);
  await runAttempt(attemptOf(1), () => send('http://x/', post));
  expect(calls).toBe(1);
});
