/** Whether a JSON value is nested deeper than `most` levels. Does not recurse, so that no value can overflow the stack. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= most; depth += 1) {
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null && !ArrayBuffer.isView(item) ? Object.values(item) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
