import { expect, test, vi } from 'vitest';
import { createClient, type Middleware } from '../../../src/client/index.ts';
import { never, reasonOf, silent, useFakeTime } from './fake-time.ts';

useFakeTime();

/** A client that hangs at the given stage. */
function hanging(stage: 'token' | 'request' | 'fetch' | 'body', attempts: number) {
  let attempt = 0;
  const at = (here: string): boolean => stage === here && attempt >= attempts;
  const hang = (here: string): Promise<void> | undefined => (at(here) ? never() : undefined);
  const middleware: Middleware = {
    onRequest: () => hang('request'),
  };
  const body = () => new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"data":')) });
  return createClient({
    baseUrl: 'https://api.example.com',
    auth: {
      getToken: () => {
        attempt += 1;
        return at('token') ? never() : 'token';
      },
    },
    middleware: [middleware],
    logger: silent,
    timeout: 5_000,
    fetch: () => {
      if (at('fetch')) return never();
      if (at('body')) return Promise.resolve(new Response(body()));
      return Promise.reject(new Error('reset'));
    },
  });
}

test.each([
  ['token', 'no'],
  ['request', 'no'],
  ['fetch', 'maybe'],
  ['body', 'yes'],
] as const)('a deadline that passes at the stage %s reports sent: %s', async (stage, sent) => {
  const reason = reasonOf(hanging(stage, 1).crm.users.list());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await reason).toMatchObject({ name: 'DeadlineError', sent });
});

test.each([
  ['token', 'maybe'],
  ['request', 'maybe'],
  ['fetch', 'maybe'],
  ['body', 'maybe'],
] as const)('after a lost response, a deadline that passes at the stage %s reports sent: %s', async (stage, sent) => {
  const reason = reasonOf(hanging(stage, 2).crm.users.list());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await reason).toMatchObject({ name: 'DeadlineError', sent });
});

test.each([
  ['a refused connection', refusal(), 'no'],
  ['429', 429, 'maybe'],
  ['503', 503, 'maybe'],
  ['a lost response', new Error('reset'), 'maybe'],
] as const)('after %s, a deadline before the next attempt is sent reports sent: %3$s', async (_, outcome, sent) => {
  let asked = 0;
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: {
      getToken: () => {
        asked += 1;
        return asked === 1 ? 'token' : never();
      },
    },
    fetch: () => {
      if (typeof outcome !== 'number') return Promise.reject(outcome);
      return Promise.resolve(new Response(null, { status: outcome, headers: { 'Retry-After': '0' } }));
    },
    trustConnectErrors: true,
    logger: silent,
    timeout: 5_000,
  });
  const reason = reasonOf(api.crm.users.list());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await reason).toMatchObject({ name: 'DeadlineError', sent });
});

test('sent reflects the lost attempt if no token can be obtained for another', async () => {
  let asked = 0;
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { getToken: () => (asked++ === 0 ? 'token' : Promise.reject(new Error('vault sealed'))) },
    fetch: () => Promise.reject(new Error('reset')),
    logger: silent,
  });
  const reason = reasonOf(api.crm.deals.delete({ dealId: 501 }));
  await vi.runAllTimersAsync();
  expect(await reason).toMatchObject({ name: 'TokenError', sent: 'maybe' });
  expect(asked).toBe(2);
});

test.each<[string, (Error | number)[], 'no' | 'maybe']>([
  ['refused, refused, refused', ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'].map(refusal), 'no'],
  ['lost, refused, refused', [new Error('reset'), refusal(), refusal()], 'maybe'],
  ['refused, refused, lost', [refusal(), refusal(), new Error('reset')], 'maybe'],
  ['503, refused, refused', [503, refusal(), refusal()], 'maybe'],
  ['429, refused, refused', [429, refusal(), refusal()], 'maybe'],
])('over several attempts (%s), a ConnectionError reports the least certain one', async (_, attempts, sent) => {
  const left = [...attempts];
  const fetch = (): Promise<Response> => {
    const next = left.shift();
    return typeof next === 'number' ? Promise.resolve(new Response(null, { status: next })) : Promise.reject(next);
  };
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    fetch,
    logger: silent,
    trustConnectErrors: true,
  });
  const reason = reasonOf(api.crm.users.list());
  await vi.runAllTimersAsync();
  expect(await reason).toMatchObject({ name: 'ConnectionError', sent });
  expect(left).toEqual([]);
});

function refusal(code = 'ECONNREFUSED'): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code }) });
}

test.each(['token', 'request', 'fetch', 'body'] as const)(
  'an abort at the stage %s rejects at once with its reason',
  async (stage) => {
    const controller = new AbortController();
    const reason = reasonOf(hanging(stage, 1).crm.users.list({ signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1);
    controller.abort('changed my mind');
    expect(await reason).toBe('changed my mind');
    expect(vi.getTimerCount()).toBe(0);
  },
);
