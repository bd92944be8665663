import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { Deadline } from '../../../src/client/core/deadline.ts';
import { createClient } from '../../../src/client/index.ts';
import { never, reasonOf, silent, useFakeTime } from './fake-time.ts';

useFakeTime();

const state = { label: 'getDeal', sent: 'no' } as const;

test('returns the result unchanged if it settles within the deadline', async () => {
  const deadline = new Deadline(100, state);
  expect(await deadline.race(Promise.resolve(7))).toBe(7);
  await expect(deadline.race(Promise.reject(new Error('own')))).rejects.toThrow('own');
  deadline.end();
  expect(vi.getTimerCount()).toBe(0);
});

test('rejects at the deadline, not before, with the operation and the time in the message', async () => {
  const deadline = new Deadline(100, state);
  let reason: unknown;
  deadline.race(never()).catch((error: unknown) => {
    reason = error;
  });
  await vi.advanceTimersByTimeAsync(99);
  expect([reason, deadline.remaining()]).toEqual([undefined, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(reason).toMatchObject({ name: 'DeadlineError', message: 'getDeal took longer than 100 ms', sent: 'no' });
  expect(deadline.signal.reason).toBe(reason);
});

test('an abort ends a wait at once with its reason, and leaves no timer', async () => {
  const controller = new AbortController();
  const deadline = new Deadline(60_000, state, controller.signal);
  const reason = { any: 'value' };
  const waited = reasonOf(deadline.wait(30_000));
  controller.abort(reason);
  expect(await waited).toBe(reason);
  deadline.end();
  expect(vi.getTimerCount()).toBe(0);
});

test('a signal aborted before the start ends the wait at once', async () => {
  const deadline = new Deadline(60_000, state, AbortSignal.abort('before'));
  expect(await reasonOf(deadline.race(Promise.resolve(7)))).toBe('before');
  deadline.end();
});

test('an attempt ends at its own limit, and the next one has a new signal', async () => {
  const deadline = new Deadline(60_000, state);
  deadline.startAttempt(100);
  const { signal } = deadline;
  const reason = reasonOf(deadline.race(never()));
  await vi.advanceTimersByTimeAsync(99);
  expect(signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await reason).toMatchObject({ name: 'TimeoutError', message: 'attemptTimeout exceeded' });
  expect([signal.aborted, deadline.signal.aborted]).toEqual([true, false]);
  const waited = reasonOf(deadline.wait(120_000));
  await vi.advanceTimersByTimeAsync(59_900);
  expect(await waited).toMatchObject({ name: 'DeadlineError' });
  deadline.end();
  expect(vi.getTimerCount()).toBe(0);
});

test('a later try that begins before the timer of the first one is due has its own limit', async () => {
  const deadline = new Deadline(60_000, state);
  deadline.startAttempt(100);
  await vi.advanceTimersByTimeAsync(50);
  deadline.endAttempt();
  deadline.startAttempt(100);
  const reason = reasonOf(deadline.race(never()));
  await vi.advanceTimersByTimeAsync(99);
  expect(deadline.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await reason).toMatchObject({ name: 'TimeoutError' });
  deadline.end();
});

test('the limit of an attempt that has ended does not end the wait before the next one', async () => {
  const deadline = new Deadline(60_000, state);
  deadline.startAttempt(100);
  deadline.endAttempt();
  const waited = deadline.wait(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await waited;
  expect(deadline.signal.aborted).toBe(false);
  deadline.end();
});

test('a signal that throws is refused with its error as the cause', () => {
  const cause = new Error('own signal');
  const signal = Object.assign(new EventTarget(), {
    aborted: false,
    addEventListener: () => {
      throw cause;
    },
  });
  expect(() => new Deadline(100, state, signal as never)).toThrow(
    expect.objectContaining({
      name: 'ArgumentError',
      message: 'signal does not accept an abort listener; nothing was sent',
      cause,
    }),
  );
});

test('a failure after giving up is not an unhandled rejection', async () => {
  // Vitest fails a run with an unhandled rejection.
  const controller = new AbortController();
  const deadline = new Deadline(60_000, state, controller.signal);
  const raced = reasonOf(deadline.race(new Promise((_, reject) => setTimeout(reject, 10, new Error('late')))));
  controller.abort('enough');
  expect(await raced).toBe('enough');
  await vi.advanceTimersByTimeAsync(20);
  deadline.end();
});

test('a call releases timer and signal however it ends', async () => {
  const { signal } = new AbortController();
  const endings: (() => Promise<Response>)[] = [
    async () => Response.json({ data: [] }),
    async () => Response.json({}, { status: 400 }),
    async () => new Response('<html>'),
    () => Promise.reject(new Error('reset')),
  ];
  for (const fetch of endings) {
    const api = createClient({ baseUrl: 'https://api.example.com', auth: null, fetch, logger: silent, maxRetries: 0 });
    await api.crm.users.list({ signal }).then(undefined, () => undefined);
    expect([getEventListeners(signal, 'abort').length, vi.getTimerCount()]).toEqual([0, 0]);
  }
});

test('hundreds of calls can share a signal without a warning about listeners', async () => {
  const warnings: string[] = [];
  const note = (warning: Error): number => warnings.push(warning.name);
  process.on('warning', note);
  try {
    const { signal } = new AbortController();
    const fetch = async () => Response.json({ data: [] });
    const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'key' }, fetch });
    await Promise.all(Array.from({ length: 300 }, () => api.crm.users.list({ signal })));
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
  }
});

test.each([0, -1, Number.NaN])('throws for a timeout of %d before it sends a request', async (timeout) => {
  const fetch = vi.fn(never);
  const api = createClient({ baseUrl: 'https://api.example.com', auth: null, fetch });
  await expect(api.crm.users.list({ timeout })).rejects.toMatchObject({ name: 'ConfigError' });
  expect(fetch).not.toHaveBeenCalled();
});

test('a timeout beyond the maximum of timers does not pass at once', async () => {
  const fetch = async () => Response.json({ data: [] });
  const api = createClient({ baseUrl: 'https://api.example.com', auth: null, fetch });
  expect(await api.crm.users.list({ timeout: Number.POSITIVE_INFINITY })).toEqual([]);
});

test('a call aborted before its start requests no token, calls no hook and sends no request', async () => {
  const fetch = vi.fn(never);
  const getToken = vi.fn(() => 'token');
  const onRequest = vi.fn();
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { getToken },
    fetch,
    middleware: [{ onRequest }],
  });
  const reason = new Error('too late');
  expect(await reasonOf(api.crm.users.list({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  for (const untouched of [fetch, getToken, onRequest]) expect(untouched).not.toHaveBeenCalled();
});

test('an invalid signal leaves no timer', async () => {
  const api = createClient({ baseUrl: 'https://api.example.com', auth: null, fetch: never, logger: silent });
  await expect(api.crm.users.list({ signal: JSON.parse('{}') })).rejects.toMatchObject({ name: 'ArgumentError' });
  expect(vi.getTimerCount()).toBe(0);
});
