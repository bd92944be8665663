import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gracePeriod, settle } from '../../../src/client/core/batches.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

/** The current result, or `pending`. */
async function stateOf(work: Promise<unknown>): Promise<unknown> {
  const pending = Symbol('pending');
  await vi.advanceTimersByTimeAsync(0);
  const state = await Promise.race([work, Promise.resolve(pending)]);
  return state === pending ? 'pending' : state;
}

function limits() {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const call = { isUnderWay: true, sent: 'no' as const, failedWith: () => false };
  return { stop, abort, call, given: { stopped: stop.signal, aborted: abort.signal, underWay: () => [call] } };
}

test('waits without limit before a stop', async () => {
  const { given } = limits();
  const settled = settle(never, given);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(await stateOf(settled)).toBe('pending');
});

test('work that settles within the grace period keeps its value or error, and leaves no timer', async () => {
  const { stop, given } = limits();
  stop.abort();
  expect(await settle(Promise.resolve('done'), given)).toEqual({ value: 'done' });
  await expect(settle(Promise.reject(new Error('x')), given)).rejects.toThrow('x');
  expect(vi.getTimerCount()).toBe(0);
});

test('after a stop, waits for the calls in progress, and then for at most one grace period', async () => {
  const { stop, call, given } = limits();
  const settled = settle(never, given);
  stop.abort();
  await vi.advanceTimersByTimeAsync(10 * gracePeriod);
  expect(await stateOf(settled)).toBe('pending');
  call.isUnderWay = false;
  await vi.advanceTimersByTimeAsync(gracePeriod);
  expect(await settled).toBeUndefined();
});

test('does not wait for calls that start after the stop', async () => {
  const { stop, abort, call } = limits();
  let calls: (typeof call)[] = [];
  const settled = settle(never, { stopped: stop.signal, aborted: abort.signal, underWay: () => calls });
  stop.abort();
  calls = [call];
  await vi.advanceTimersByTimeAsync(gracePeriod);
  expect(await settled).toBeUndefined();
});

test('an abort restarts the grace period, and calls in progress do not extend it', async () => {
  const { stop, abort, given } = limits();
  const settled = settle(never, given);
  stop.abort();
  await vi.advanceTimersByTimeAsync(gracePeriod - 1);
  abort.abort();
  await vi.advanceTimersByTimeAsync(gracePeriod - 1);
  expect(await stateOf(settled)).toBe('pending');
  await vi.advanceTimersByTimeAsync(1);
  expect(await settled).toBeUndefined();
});

test('work that fails after its time causes no unhandled rejection', async () => {
  const { stop, abort, given } = limits();
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const settled = settle(work, given);
  stop.abort();
  abort.abort();
  await vi.advanceTimersByTimeAsync(gracePeriod);
  expect(await settled).toBeUndefined();
  // Vitest fails a run with an unhandled rejection.
  fail(new Error('late'));
  await vi.advanceTimersByTimeAsync(0);
});
