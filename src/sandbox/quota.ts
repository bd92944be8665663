/** A documented quota over a rolling window. */
export interface Quota {
  requests: number;
  seconds: number;
}

/** Whole seconds until one more request is within a quota that is used up. */
export function secondsUntilFree(moments: readonly number[], { requests, seconds }: Quota, now: number): number {
  const freed = moments.toSorted((one, other) => one - other).at(-requests) ?? now;
  return Math.max(1, Math.ceil((freed - now) / 1_000 + seconds));
}

/** The moments that still count for a quota: a window reaches back from now, and its first moment is outside. */
export function withinQuota(moments: readonly number[], { seconds }: Quota, now: number): number[] {
  return moments.filter((moment) => now - moment < seconds * 1_000);
}
