import { afterEach, beforeEach, expect, vi } from 'vitest';

/** A promise that never settles. */
export const never = () => new Promise<never>(() => undefined);

export const silent = { warn: () => undefined };

/** Returns the reason of a rejection. Fails if the promise does not reject. */
export function reasonOf(promise: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => expect.unreachable(),
    (reason: unknown) => reason,
  );
}

/** Fakes timers in the tests of a file, and removes the jitter from waits. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}
