import type { Quota } from '../../shared/reference.ts';

type Window = Pick<Quota, 'requests' | 'seconds'>;

/** Whole seconds until an exhausted quota permits one more request. */
export function secondsUntilFree(moments: readonly number[], { requests, seconds }: Window, now: number): number {
  const freed = moments.toSorted((one, other) => one - other).at(-requests) ?? now;
  return Math.max(1, Math.ceil((freed - now) / 1_000 + seconds));
}

/** The times that still count towards a quota. The window ends now and excludes its start. */
export function withinQuota(moments: readonly number[], { seconds }: Pick<Window, 'seconds'>, now: number): number[] {
  return moments.filter((moment) => now - moment < seconds * 1_000);
}
