import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { countTimers, watchTimers } from '../outcomes/model/timers.ts';

const url = 'https://api.example.com';
const clientOver = (fetch: () => Promise<Response>, timeout = 120_000) =>
  createClient({ baseUrl: url, auth: { apiKey: 'key' }, fetch, timeout, logger: { warn: () => undefined } });

beforeEach(() => {
  vi.useFakeTimers();
  watchTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('waits exactly as long as the service asks, then continues the call', async () => {
  const fetch = vi.fn(async () => Response.json({ data: [] }));
  fetch.mockResolvedValueOnce(new Response(null, { status: 429, headers: { 'Retry-After': '2' } }));
  const users = clientOver(fetch).crm.users.list();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(fetch).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await users).toEqual([]);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(countTimers()).toBe(0);
});

test('waits grow with each attempt, and the last failure is the result', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const fetch = vi.fn(async () => new Response(null, { status: 503 }));
  const failed = expect(clientOver(fetch).crm.users.list({ maxRetries: 3 })).rejects.toMatchObject({
    name: 'ServerError',
    status: 503,
  });
  for (const [wait, attempts] of [
    [499, 1],
    [1, 2],
    [999, 2],
    [1, 3],
    [1_999, 3],
    [1, 4],
  ] as const) {
    await vi.advanceTimersByTimeAsync(wait);
    expect(fetch).toHaveBeenCalledTimes(attempts);
  }
  await failed;
  expect(countTimers()).toBe(0);
});

test.each([
  ['longer than a minute', '61', 600_000],
  ['past the deadline', '30', 29_000],
  ['to the deadline itself', '30', 30_000],
])('does not begin a wait %s, but fails at once with the failure itself', async (_, retryAfter, timeout) => {
  const fetch = vi.fn(async () => new Response(null, { status: 429, headers: { 'Retry-After': retryAfter } }));
  // The timers do not advance, so a call that waits would never settle.
  await expect(clientOver(fetch, timeout).crm.users.list()).rejects.toMatchObject({ name: 'RateLimitError' });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('an abort during a wait ends the call at once, and leaves no timer', async () => {
  const controller = new AbortController();
  const fetch = vi.fn(async () => new Response(null, { status: 429, headers: { 'Retry-After': '30' } }));
  const call = clientOver(fetch).crm.users.list({ signal: controller.signal });
  const failed = expect(call).rejects.toBe('enough');
  await vi.advanceTimersByTimeAsync(29_999);
  controller.abort('enough');
  await failed;
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(countTimers()).toBe(0);
});

test('a lost connection whose back-off would exceed the deadline fails at once with its own error', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const fetch = vi.fn(() => Promise.reject(new TypeError('fetch failed')));
  await expect(clientOver(fetch, 400).crm.users.list()).rejects.toMatchObject({
    name: 'ConnectionError',
    sent: 'maybe',
  });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a call can set its number of retries, and an invalid number is refused before a request is sent', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const fetch = vi.fn(async () => new Response(null, { status: 503 }));
  const failed = expect(clientOver(fetch).crm.users.list({ maxRetries: 0 })).rejects.toThrow('503');
  await vi.runAllTimersAsync();
  await failed;
  expect(fetch).toHaveBeenCalledTimes(1);
  for (const maxRetries of [-1, 1.5, Number.NaN]) {
    await expect(clientOver(fetch).crm.users.list({ maxRetries })).rejects.toMatchObject({ name: 'ConfigError' });
  }
  expect(fetch).toHaveBeenCalledTimes(1);
});
