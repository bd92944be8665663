import type { Quota } from '../../shared/reference.ts';
import type { AnyChoice } from './choices.ts';
import type { Context } from './context.ts';
import type { AnyRule } from './rules.ts';

/**
 * Returns the times of the requests that count towards a quota. A request at the exact start of the quota window, which ends
 * now, does not count. Rejects the request with status 429 if the quota is exhausted.
 */
export function checkQuota(
  context: Context,
  moments: readonly number[],
  { requests, seconds }: Pick<Quota, 'requests' | 'seconds'>,
  rule: AnyRule,
  rejection: { message: string; choice: AnyChoice },
): number[] {
  const { now } = context;
  const recent = moments.filter((moment) => now - moment < seconds * 1_000);
  if (recent.length < requests) return recent;
  const freed = recent.toSorted((one, other) => one - other).at(-requests) ?? now;
  const retryAfter = Math.max(1, Math.ceil((freed - now) / 1_000 + seconds));
  return context.reject(rule, { status: 429, ...rejection, retryAfter });
}
