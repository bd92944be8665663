import type { Context } from '../../handler.ts';
import { markOrder, type Paging, page as pageOf } from '../paging.ts';

const order = 'email-list-order';

/** One page of a list of this part; the rest is read no further than the page needs. */
export function page<Item>(items: Iterable<Item>, paging: Paging, context: Context): Item[] {
  return pageOf(items, paging, context, { size: 'email-page-size', order });
}

/** A list of this part that has no pages. */
export function whole<Item>(items: Iterable<Item>, context: Context): Item[] {
  const list = [...items];
  markOrder(list.length, context, order);
  return list;
}

/** The entries of a Map that pass a test, the last one first. */
export function newestFirst<Item>(items: ReadonlyMap<unknown, Item>, passes: (item: Item) => boolean): Item[] {
  return [...items.values()].filter(passes).reverse();
}

/** Whether a moment lies on a day; every one does where no day is given. */
export function onDay(date: string | undefined): (moment: number) => boolean {
  if (!date) return () => true;
  const begins = Date.parse(`${date}T00:00:00Z`);
  return (moment) => moment >= begins && moment < begins + 86_400_000;
}

/** Names the choices of what shows a date in a form that the documents leave open. */
export function markDates(context: Context): void {
  context.chose('email-dates-format');
  context.chose('utc-dates');
}
