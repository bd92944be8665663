import type { BatchCall } from './batch-calls.ts';
import { follow } from './follow.ts';

/** How long a stopped run waits for its pending work, in milliseconds. */
export const gracePeriod = 5_000;

/** When to stop waiting. */
export interface Limits {
  /** Aborted when the run stops, for any reason. Starts the grace period. */
  stopped: AbortSignal;
  /** Aborted when the batch is aborted. Starts the grace period, which then also applies to pending calls. */
  aborted?: AbortSignal;
  /** The pending calls. Those that are pending when the run stops are waited for, because each ends with its own `timeout`. */
  underWay?: () => readonly BatchCall[];
}

/**
 * Waits for work of a run. After the run is stopped, it waits only for a limited time.
 *
 * @returns the value, or `undefined` after the time limit
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
    // Also handles a late rejection.
    work.then((value) => resolve({ value }), reject);
  });
  return settled.finally(() => {
    clearTimeout(timer);
    for (const end of ends) end();
  });
}
