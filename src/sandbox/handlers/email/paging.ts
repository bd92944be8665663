import type { Context } from '../../handler.ts';

export interface Paging {
  limit?: number;
  offset?: number;
}

/** Entries of a page where the caller names no number. */
const defaultLimit = 100;

/** One page of the entries that pass a test; the rest is read no further than the page needs. */
export function page<Item>(
  items: Iterable<Item>,
  { limit = 0, offset = 0 }: Paging,
  context: Context,
  passes: (item: Item) => boolean,
): Item[] {
  if (limit < 0 || offset < 0)
    context.refuseByChoice('email-page-size', { message: 'limit and offset are 0 or more.' });
  context.chose('email-page-size');
  context.chose('email-list-order');
  const size = limit || defaultLimit;
  const found: Item[] = [];
  let before = 0;
  for (const item of items) {
    if (!passes(item)) continue;
    if (before < offset) before += 1;
    else if (found.push(item) >= size) break;
  }
  return found;
}

/** The entries of a Map, the last one first. */
export function newestFirst<Item>(items: ReadonlyMap<unknown, Item>): Item[] {
  return [...items.values()].reverse();
}

/** Whether a moment lies on a day; every one does where no day is given. */
export function onDay(date: string | undefined): (moment: number) => boolean {
  if (!date) return () => true;
  const begins = Date.parse(`${date}T00:00:00Z`);
  return (moment) => moment >= begins && moment < begins + 86_400_000;
}
