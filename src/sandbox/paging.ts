export interface Paging {
  limit?: number;
  offset?: number;
}

/** Entries of a page if the request names no number. */
const defaultLimit = 100;

export interface Page<Item> {
  items: Item[];
  /** Items that were read: one more than the end of the page if there are further items. */
  read: number;
  /** Whether the default limit shaped the page. */
  isDefault: boolean;
}

/**
 * Takes one page out of an iterable, and reads it no further than the page needs.
 *
 * @param maximum - most entries of a page, if documented
 */
export function takePage<Item>(
  items: Iterable<Item>,
  { limit, offset = 0 }: Paging,
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
