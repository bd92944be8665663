import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient, type TokenStore } from '../../../src/client/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = (): Promise<never> => new Promise(() => undefined);
const minute = 60_000;

/** An in-memory service. `token` answers token request n, and every other call succeeds. */
function serve(token: (count: number) => unknown, options: { timeout?: number; tokenStore?: TokenStore } = {}) {
  const tokens: string[] = [];
  const warn = vi.fn();
  let requests = 0;
  const { tokenStore, ...rest } = options;
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { clientId: 'id', clientSecret: 'secret', ...(tokenStore && { tokenStore }) },
    logger: { warn },
    ...rest,
    fetch: async (url, { headers }) => {
      if (url.endsWith('/oauth/access_token')) {
        requests += 1;
        const answer = await token(requests);
        return answer instanceof Response ? answer : Response.json(answer);
      }
      tokens.push(new Headers(headers).get('authorization') ?? '');
      return Response.json({ data: [] });
    },
  });
  return { api, tokens, warn, requests: () => requests, call: () => api.crm.users.list() };
}

const issue = (count: number, seconds: unknown = 3600) => ({ access_token: `token-${count}`, expires_in: seconds });

test('calls use a token that is still valid at once, while a stalled renewal continues in the background', async () => {
  const { call, tokens, requests } = serve((count) => (count === 1 ? issue(1) : never()), { timeout: 1_000 });
  await call();
  vi.advanceTimersByTime(0.96 * 60 * minute);
  const calls = Array.from({ length: 20 }, call);
  await vi.advanceTimersByTimeAsync(0);
  expect(await Promise.all(calls)).toHaveLength(20);
  expect(new Set(tokens)).toEqual(new Set(['Bearer token-1']));
  expect(requests()).toBe(2);
});

test('the next call uses a token renewed in the background', async () => {
  const { call, tokens } = serve((count) => issue(count));
  await call();
  vi.advanceTimersByTime(0.96 * 60 * minute);
  await call();
  await vi.advanceTimersByTimeAsync(0);
  await call();
  expect(tokens).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
});

test('an unanswered token request ends after 10 s and is repeated, so that no call waits for a minute', async () => {
  const { call, requests } = serve((count) => (count === 1 ? never() : issue(count)));
  const result = call();
  // With the longest back-off.
  await vi.advanceTimersByTimeAsync(10_500);
  expect(await result).toEqual([]);
  expect(requests()).toBe(2);
});

test('the time limit of a token request is independent of the call', async () => {
  const { call, requests } = serve(() => new Promise((resolve) => setTimeout(() => resolve(issue(1)), 5_000)), {
    timeout: 1_000,
  });
  const first = expect(call()).rejects.toMatchObject({ name: 'DeadlineError', sent: 'no' });
  await vi.advanceTimersByTimeAsync(5_000);
  await first;
  expect(await call()).toEqual([]);
  expect(requests()).toBe(1);
});

test('unanswered token requests end as a TokenError, after 10 s each', async () => {
  const { call, requests } = serve(never);
  const result = expect(call()).rejects.toMatchObject({ name: 'TokenError', sent: 'no' });
  await vi.advanceTimersByTimeAsync(30_000);
  await result;
  expect(requests()).toBe(3);
});

test.each<[string, Partial<TokenStore>]>([
  ['reading', { get: never }],
  ['writing', { set: never }],
  ['everything', { get: never, set: never, delete: never }],
])("a store that hangs in %s does not use up a call's deadline", async (_, broken) => {
  const working: TokenStore = { get: () => undefined, set: () => undefined, delete: () => undefined };
  const { call } = serve((count) => issue(count), { timeout: 1_000, tokenStore: { ...working, ...broken } });
  const result = call();
  await vi.advanceTimersByTimeAsync(500);
  expect(await result).toEqual([]);
});

test('uses a valid stored token at once, even if its renewal is due', async () => {
  const stored = { accessToken: 'stored', issuedAt: Date.now() - 57.6 * minute, expiresAt: Date.now() + 2.4 * minute };
  const tokenStore: TokenStore = { get: () => stored, set: () => undefined, delete: () => undefined };
  const { call, tokens, requests } = serve((count) => (count === 1 ? never() : issue(count)), {
    timeout: 1_000,
    tokenStore,
  });
  for (let count = 0; count < 3; count += 1) {
    const result = call();
    await vi.advanceTimersByTimeAsync(0);
    expect(await result).toEqual([]);
  }
  expect(tokens).toEqual(Array(3).fill('Bearer stored'));
  expect(requests()).toBe(1);
});

test('repeats a renewal that never ended, as in a suspended worker', async () => {
  const { call, requests } = serve((count) => (count === 1 ? issue(1) : never()), { timeout: 1_000 });
  await call();
  vi.setSystemTime(Date.now());
  const jump = vi.spyOn(performance, 'now');
  const base = performance.now();
  jump.mockImplementation(() => base + 0.96 * 60 * minute);
  await call();
  await vi.advanceTimersByTimeAsync(0);
  expect(requests()).toBe(2);
  // The timers of the first renewal never fire.
  vi.clearAllTimers();
  jump.mockImplementation(() => base + 0.98 * 60 * minute);
  await call();
  await vi.advanceTimersByTimeAsync(0);
  expect(requests()).toBe(3);
});

test('a failed background renewal with a logger that throws causes no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const store = { get: never, set: () => Promise.reject(new Error('full')), delete: never };
  try {
    const { call, warn, requests } = serve((count) => (count === 1 ? issue(1) : Response.json({}, { status: 400 })), {
      tokenStore: { ...store, get: () => undefined },
    });
    warn.mockImplementation(() => {
      throw new Error('logger');
    });
    await call();
    vi.advanceTimersByTime(0.96 * 60 * minute);
    await call();
    await vi.advanceTimersByTimeAsync(minute);
    expect(requests()).toBe(2);
    vi.useRealTimers();
    await new Promise(setImmediate);
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});

test.each([-3600, -1, 0, '1e999', null, undefined, '', 'soon', {}, [], true, 1e-9, 1, 1e300])(
  'uses and stores a token with expires_in %j for at least a second and at most a day',
  async (seconds) => {
    const set = vi.fn();
    const { call, requests } = serve((count) => issue(count, seconds), {
      tokenStore: { get: () => undefined, set, delete: () => undefined },
    });
    for (let count = 0; count < 10; count += 1) await call();
    expect(requests()).toBe(1);
    vi.advanceTimersByTime(750);
    await call();
    expect(requests()).toBe(1);
    const [, stored, timeToLive] = set.mock.calls[0] ?? [];
    expect(timeToLive).toBeGreaterThanOrEqual(1_000);
    expect(timeToLive).toBeLessThanOrEqual(24 * 60 * minute);
    expect(stored.expiresAt - stored.issuedAt).toBe(timeToLive);
    vi.advanceTimersByTime(24 * 60 * minute);
    await call();
    expect(requests()).toBe(2);
  },
);

test('accepts a string of digits as a number of seconds', async () => {
  const { call, requests } = serve((count) => issue(count, '3600'));
  await call();
  vi.advanceTimersByTime(0.79 * 60 * minute);
  await call();
  expect(requests()).toBe(1);
});

test.each([-24, 24])('a clock that jumps by %d hours does not affect the token in memory', async (hours) => {
  const { call, requests } = serve((count) => issue(count));
  await call();
  vi.setSystemTime(Date.now() + hours * 60 * minute);
  await call();
  expect(requests()).toBe(1);
  vi.advanceTimersByTime(61 * minute);
  await call();
  expect(requests()).toBe(2);
});
