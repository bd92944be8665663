import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after some milliseconds, or when the signal is aborted. */
export async function abortableSleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/**
 * Starts a stopwatch for durations that must not be underestimated, because a row could otherwise be sent twice. It uses the larger
 * value of two clocks: the monotonic clock stops while the machine is suspended, and the wall clock can be set back.
 *
 * @returns a function that returns the milliseconds since the start
 */
export function startStopwatch(): () => number {
  const monotonic = performance.now();
  const wall = Date.now();
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** Waits for a promise, but at most `milliseconds`. Ignores a rejection of the promise. Returns whether the promise has settled. */
export async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  const isSettled = await Promise.race([settled, timeout]);
  clearTimeout(timer);
  return isSettled;
}
