import { afterEach, beforeEach, expect, vi } from 'vitest';

/** What never settles. */
export const never = () => new Promise<never>(() => undefined);

export const silent = { warn: () => undefined };

/** What a promise rejects with. Fails if it does not reject. */
export function reasonOf(promise: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => expect.unreachable(),
    (reason: unknown) => reason,
  );
}

/** Fakes timers in the tests of a file, and removes the jitter of waits. */
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
