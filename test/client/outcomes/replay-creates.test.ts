import { expect, test } from 'vitest';
import type { ClientOptions } from '../../../src/client/index.ts';
import { respond, serve, status } from '../../support/fault-server.ts';
import { clientOf, failureOf } from './support.ts';

const done = respond({ data: { id: 501 } });
const renewal = { pipelineId: 1, stepId: 11, name: 'Renewal' };
const busy = status(429, { 'Retry-After': '0' });

/** A function that returns another token after each rejection. */
function tokens(): { auth: ClientOptions['auth']; asked: boolean[] } {
  const asked: boolean[] = [];
  const getToken = ({ forceRefresh }: { forceRefresh: boolean }): string => {
    asked.push(forceRefresh);
    return `token-${asked.filter(Boolean).length}`;
  };
  return { auth: { getToken }, asked };
}

test('by default, a service that stores a deal before it answers 429 or 401 gets it twice', async () => {
  for (const first of [busy, status(401)]) {
    const { url, received } = await serve(first, done);
    await clientOf(url, { auth: tokens().auth }).crm.deals.create(renewal);
    expect(received).toHaveLength(2);
  }
});

test.each(['client', 'call'])('with replayCreates: false of the %s, never sends a creation again', async (place) => {
  for (const [first, name] of [
    [busy, 'RateLimitError'],
    [status(401), 'AuthenticationError'],
  ] as const) {
    const { url, received } = await serve(first, done);
    const { auth } = tokens();
    const api = clientOf(url, { auth, ...(place === 'client' && { replayCreates: false }) });
    const error = await failureOf(api.crm.deals.create(renewal, place === 'call' ? { replayCreates: false } : {}));
    expect(error).toMatchObject({ name, sent: 'yes', attempts: 1 });
    expect(received).toHaveLength(1);
  }
});

test('with replayCreates: false, still repeats reading calls after 429 and 401', async () => {
  const { url, received } = await serve(busy, status(401), respond({ data: [] }));
  await clientOf(url, { auth: tokens().auth, replayCreates: false }).crm.users.list();
  expect(received).toHaveLength(3);
});

test('with replayCreates: false, the call after a 401 has another token', async () => {
  const { url, received } = await serve(status(401), done);
  const { auth, asked } = tokens();
  const api = clientOf(url, { auth, replayCreates: false });
  await failureOf(api.crm.deals.create(renewal));
  await api.crm.deals.create(renewal);
  expect(asked).toEqual([false, true, false]);
  expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-0', 'Bearer token-1']);
});

test('with replayCreates: false, still retries a rejected connection, because no request was sent', async () => {
  const api = clientOf('http://127.0.0.1:59', { replayCreates: false, fetch: () => Promise.reject(rejected) });
  const rejected = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  expect(await failureOf(api.withOptions({ trustConnectErrors: true }).crm.deals.create(renewal))).toMatchObject({
    attempts: 3,
    sent: 'no',
  });
});
