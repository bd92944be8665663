import type { BatchCall } from './batch-calls.ts';
import { follow } from './follow.ts';

/** How long a stopped run waits for what it has started, in milliseconds. */
export const gracePeriod = 5_000;

/** When to stop waiting. */
export interface Limits {
  /** Aborted when the run stops, for whatever reason: the grace period begins. */
  stopped: AbortSignal;
  /** Aborted when the batch is aborted: the grace period begins, and calls under way are not waited for any longer. */
  aborted?: AbortSignal;
  /** The calls under way. Those that were under way when the run stopped are waited for: each ends with its own `timeout`. */
  underWay?: () => readonly BatchCall[];
}

/**
 * Waits for what a run has started. Once the run is stopped, it waits for a limited time.
 *
 * @returns the value, or `undefined` if the time is over
 */
export function settle<Value>(
  work: Promise<Value>,
  { stopped, aborted, underWay }: Limits,
): Promise<{ value: Value } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let awaited: readonly BatchCall[] = [];
  const ends: (() => void)[] = [];
  const settled = new Promise<{ value: Value } | undefined>((resolve, reject) => {
    const startPeriod = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!aborted?.aborted && awaited.some((call) => call.isUnderWay)) startPeriod();
        else resolve(undefined);
      }, gracePeriod);
    };
    const onStop = (): void => {
      awaited = underWay?.() ?? [];
      startPeriod();
    };
    ends.push(follow(stopped, onStop));
    if (aborted) ends.push(follow(aborted, startPeriod));
    // A late rejection is handled here, too.
    work.then((value) => resolve({ value }), reject);
  });
  return settled.finally(() => {
    clearTimeout(timer);
    for (const end of ends) end();
  });
}
