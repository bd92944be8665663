import type { Context } from '../../handler.ts';

export interface Paging {
  limit?: number;
  offset?: number;
}

/** Entries of a page where the caller names no number. */
const defaultLimit = 100;

/** One page of what is iterated, which is read no further than the page needs. */
export function page<Item>(
  items: Iterable<Item>,
  { limit = 0, offset = 0 }: Paging,
  context: Context,
  maximum = Number.POSITIVE_INFINITY,
): Item[] {
  if (limit < 0 || offset < 0)
    context.refuseByChoice('messaging-page-size', { message: 'limit and offset are 0 or more.' });
  context.chose('messaging-page-size');
  context.chose('messaging-list-order');
  const end = offset + Math.min(limit || defaultLimit, maximum);
  const found: Item[] = [];
  let place = 0;
  for (const item of items) {
    if (place >= end) break;
    if (place >= offset) found.push(item);
    place += 1;
  }
  return found;
}
