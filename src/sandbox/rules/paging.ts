export interface PageRange {
  limit?: number;
  offset?: number;
}

/** Page size if the request omits `limit`. */
export const defaultLimit = 100;

/** Counts the items that pass a test. */
export function countIf<Item>(items: Iterable<Item>, passes: (item: Item) => boolean): number {
  let count = 0;
  for (const item of items) if (passes(item)) count += 1;
  return count;
}

export interface Page<Item> {
  items: Item[];
  /** Number of items read, including one item after the page if more items follow. */
  read: number;
  /** Whether the default limit determined the page. */
  isDefault: boolean;
}

/**
 * Takes one page from an iterable. Reads at most one item past the page.
 *
 * @param maximum - documented maximum page size, if any
 */
export function takePage<Item>(
  items: Iterable<Item>,
  { limit, offset = 0 }: PageRange,
  maximum = Number.POSITIVE_INFINITY,
): Page<Item> {
  const end = offset + Math.min(limit || defaultLimit, maximum);
  const found: Item[] = [];
  let read = 0;
  for (const item of items) {
    read += 1;
    if (read > end) break;
    if (read > offset) found.push(item);
  }
  return { items: found, read, isDefault: limit === 0 || (limit === undefined && read > end) };
}
