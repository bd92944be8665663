/** Puts an entry last, and removes the first one if there are too many. Returns the removed entry. */
export function keepRecent<Value>(
  entries: Map<string, Value>,
  key: string,
  value: Value,
  most: number,
): Value | undefined {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries;
  if (entries.size <= most || !oldest) return undefined;
  entries.delete(oldest[0]);
  return oldest[1];
}
