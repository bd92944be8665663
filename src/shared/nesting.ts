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

/** Whether any object in a JSON value has more than `max` names. Does not recurse. */
export function hasMoreNames(value: unknown, max: number): boolean {
  const open = [value];
  for (let at = 0; at < open.length; at += 1) {
    const item = open[at];
    if (typeof item !== 'object' || item === null || ArrayBuffer.isView(item)) continue;
    const inner = Object.values(item);
    if (!Array.isArray(item) && inner.length > max) return true;
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return false;
}
