import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient, type HookError } from '../../../src/client/index.ts';
import { countTimers, watchTimers } from './model/timers.ts';
import { failureOf, silent, watchProcess } from './support.ts';

const baseUrl = 'https://api.example.com';
const never = () => new Promise<never>(() => undefined);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a stalled first attempt does not use up the whole call', async () => {
  vi.useFakeTimers();
  watchTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetch = vi.fn((_: string, init: RequestInit): Promise<Response> => {
    signals.push(init.signal);
    return signals.length === 1 ? never() : Promise.resolve(Response.json({ data: [] }));
  });
  const told: string[] = [];
  const middleware = [{ onError: (_: object, { message }: HookError) => void told.push(message) }];
  const users = createClient({ baseUrl, auth: null, fetch, logger: silent, middleware }).crm.users.list();
  await vi.advanceTimersByTimeAsync(19_999);
  expect([fetch.mock.calls.length, signals[0]?.aborted]).toEqual([1, false]);
  await vi.advanceTimersByTimeAsync(2);
  expect(await users).toEqual([]);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  expect(told).toEqual([expect.stringContaining('attemptTimeout')]);
  expect(countTimers()).toBe(0);
});

test('a body that stalls in the first attempt is read in the second', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  let attempts = 0;
  const fetch = async () => {
    attempts += 1;
    return attempts === 1 ? new Response(new ReadableStream({ pull: never })) : Response.json({ data: [] });
  };
  const users = createClient({ baseUrl, auth: null, fetch, logger: silent }).crm.users.list({ attemptTimeout: 100 });
  await vi.advanceTimersByTimeAsync(101);
  expect([await users, attempts]).toEqual([[], 2]);
});

test.each([
  ['what creates something has no limit of its own', 'create', {}, 1, 'DeadlineError'],
  ['the last attempt has the rest of the time', 'read', { maxRetries: 1 }, 2, 'DeadlineError'],
  ['an attempt that nobody repeats has all the time', 'read', { maxRetries: 0 }, 1, 'DeadlineError'],
] as const)('attemptTimeout: %s', async (_, kind, options, attempts, name) => {
  vi.useFakeTimers();
  watchTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const fetch = vi.fn(never);
  const api = createClient({ baseUrl, auth: null, fetch, logger: silent, ...options });
  const call = failureOf(kind === 'read' ? api.crm.users.list() : api.crm.boards.create({ name: 'Tasks' }));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(fetch).toHaveBeenCalledTimes(attempts);
  await vi.advanceTimersByTimeAsync(1);
  expect(await call).toMatchObject({ name, sent: 'maybe', attempts });
  expect(countTimers()).toBe(0);
});

test('an abort ends a second try, which has another signal', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetch = (_: string, init: RequestInit) => {
    signals.push(init.signal);
    return never();
  };
  const controller = new AbortController();
  const api = createClient({ baseUrl, auth: null, fetch, logger: silent });
  const call = failureOf(api.crm.users.list({ signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(20_001);
  controller.abort('enough');
  expect(await call).toBe('enough');
  expect(signals.map((signal) => signal?.reason)).toEqual([expect.anything(), 'enough']);
});

test.each([0, -1, Number.NaN])('throws for an attemptTimeout of %d', async (attemptTimeout) => {
  const api = createClient({ baseUrl, auth: null, fetch: never });
  expect(await failureOf(api.crm.users.list({ attemptTimeout }))).toMatchObject({ name: 'ConfigError' });
  expect(() => createClient({ baseUrl, auth: null, attemptTimeout })).toThrow(/attemptTimeout/);
});

test.each([-86_400_000, 86_400_000])(
  'a clock that jumps by %i ms changes neither retries nor deadline',
  async (jump) => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const fetch = vi.fn(async () => {
      vi.setSystemTime(Date.now() + jump);
      return new Response(null, { status: 503 });
    });
    const call = failureOf(
      createClient({ baseUrl, auth: null, fetch, logger: silent, timeout: 5_000 }).crm.users.list(),
    );
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await call).toMatchObject({ name: 'ServerError' });
    expect(fetch).toHaveBeenCalledTimes(3);
  },
);

async function outage(clients: number): Promise<number> {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return new Response(null, { status: 503 });
  };
  const api = createClient({ baseUrl, auth: null, fetch, logger: silent });
  const apis = Array.from({ length: clients }, () => api.withOptions({ timeout: 30_000 }));
  const calls = Array.from({ length: 1_000 }, (_, call) =>
    failureOf(apis[call % clients]?.crm.users.list() ?? never()),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(calls);
  return sent;
}

test('in a total outage, 1,000 calls send at most 1,150 requests', async () => {
  expect(await outage(1)).toBeLessThanOrEqual(1_150);
});

test('clients of withOptions share the retry budget', async () => {
  expect(await outage(4)).toBeLessThanOrEqual(1_150);
});

test('successes refill the retry budget', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  let up = false;
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return up ? Response.json({ data: [] }) : new Response(null, { status: 503 });
  };
  const api = createClient({ baseUrl, auth: null, fetch, logger: silent });
  const run = async (count: number): Promise<number> => {
    sent = 0;
    const calls = Array.from({ length: count }, () => api.crm.users.list().then(undefined, () => undefined));
    await vi.advanceTimersByTimeAsync(100);
    await Promise.all(calls);
    return sent;
  };
  expect(await run(200)).toBe(300);
  expect(await run(10)).toBe(10);
  up = true;
  await run(10);
  up = false;
  // Ten successes return two retries.
  expect(await run(10)).toBe(12);
});

test.each([
  ['AbortSignal.timeout', () => AbortSignal.timeout(1_000_000)],
  ['AbortSignal.any', () => AbortSignal.any([new AbortController().signal])],
  ['a controller', () => new AbortController().signal],
])('hundreds of calls share a signal of %s without a warning, and leave no listener on it', async (_, make) => {
  const watched = watchProcess();
  const signal = make();
  const answers: (() => void)[] = [];
  const fetch = () => new Promise<Response>((resolve) => answers.push(() => resolve(Response.json({ data: [] }))));
  const api = createClient({ baseUrl, auth: { getToken: () => 'token' }, fetch, logger: silent });
  const calls = Array.from({ length: 300 }, () => api.crm.users.list({ signal }));
  await vi.waitUntil(() => answers.length === 300, { interval: 1 });
  for (const answer of answers) answer();
  await Promise.all(calls);
  await watched.settled();
  expect([watched.problems, getEventListeners(signal, 'abort')]).toEqual([[], []]);
});

test('an abort of a shared signal ends all its calls', async () => {
  const controller = new AbortController();
  const api = createClient({ baseUrl, auth: null, fetch: never, logger: silent });
  const calls = Array.from({ length: 50 }, () => failureOf(api.crm.users.list({ signal: controller.signal })));
  controller.abort('enough');
  expect(await Promise.all(calls)).toEqual(calls.map(() => 'enough'));
});
