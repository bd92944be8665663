/** JSON that a `jsonb` column accepts: Postgres refuses NUL and lone surrogates, which become the replacement character. */
export function toJsonb(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? each.replaceAll(/\0|\p{Surrogate}/gu, '\ufffd') : each,
  );
}
