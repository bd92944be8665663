type Fields = { [name: string]: unknown };

/**
 * What a record has that the one before it has not, or `undefined` if that cannot be said by fields: then the names or their
 * order differ. Neighbouring records repeat much: names of fields, senders, subjects, texts.
 */
export function deltaOf(record: unknown, before: unknown): object | undefined {
  return isFields(record) && isFields(before) ? deltaOfFields(record, before) : undefined;
}

function deltaOfFields(record: Fields, before: Fields): Fields | undefined {
  const names = Object.keys(record);
  const namesBefore = Object.keys(before);
  const isAlike = names.length === namesBefore.length && names.every((name, place) => name === namesBefore[place]);
  if (!isAlike) return undefined;
  const delta: Fields = {};
  for (const name of names) {
    const [own, old] = [record[name], before[name]];
    // JSON leaves out what is undefined, and to assign `__proto__` is something else.
    if (own === undefined || old === undefined || name === '__proto__') return undefined;
    if (own === old) continue;
    if (isFields(own) && isFields(old)) {
      const part = deltaOfFields(own, old);
      if (!part) return undefined;
      if (Object.keys(part).length > 0) delta[name] = part;
    } else if (!isEqualList(own, old)) delta[name] = own;
  }
  return delta;
}

/**
 * The record that a delta describes. What is equal is shared with the record before, so that it is in memory once: stored
 * records never change.
 */
export function applyDelta(delta: unknown, before: unknown): unknown {
  if (!isFields(delta) || !isFields(before)) return delta;
  const names = Object.keys(delta);
  if (names.length === 0) return before;
  const record = { ...before };
  for (const name of names) record[name] = applyDelta(delta[name], before[name]);
  return record;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEqualList(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other);
}
