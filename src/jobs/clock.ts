/** The time of quotas and rates, as SQL: the database's own, or that of a test. Embedded in statements, because it is a number. */
export function timeAsSql(now: (() => number) | undefined): string {
  return now ? `to_timestamp(${Number(now()) / 1_000})` : 'clock_timestamp()';
}
