import type { AnyChoice } from '../choices/choices.ts';
import type { Context } from '../handler.ts';

export interface Paging {
  limit?: number;
  offset?: number;
}

/** How the lists of a part are read where the documents leave it open. */
export interface ListChoices {
  size: AnyChoice;
  order: AnyChoice;
}

/** Entries of a page where the caller names no number. */
const defaultLimit = 100;

/**
 * One page of what is iterated, which is read no further than the page needs. It names a choice where another one would
 * have made another page.
 *
 * @param maximum - most entries of a page, where documented
 */
export function page<Item>(
  items: Iterable<Item>,
  { limit, offset = 0 }: Paging,
  context: Context,
  { size, order }: ListChoices,
  maximum = Number.POSITIVE_INFINITY,
): Item[] {
  if ((limit ?? 0) < 0 || offset < 0) context.refuseByChoice(size, { message: 'limit and offset are 0 or more.' });
  const end = offset + Math.min(limit || defaultLimit, maximum);
  const found: Item[] = [];
  let seen = 0;
  for (const item of items) {
    seen += 1;
    if (seen > end) break;
    if (seen > offset) found.push(item);
  }
  if (limit === 0 || (limit === undefined && seen > end)) context.chose(size);
  markOrder(seen, context, order);
  return found;
}

/** Only two entries have an order. */
export function markOrder(entries: number, context: Context, order: AnyChoice): void {
  if (entries > 1) context.chose(order);
}
