import type { Context } from '../../handler.ts';
import { markOrder, type Paging, page as pageOf } from '../paging.ts';

const order = 'messaging-list-order';

/** One page of a list of this part. */
export function page<Item>(items: Iterable<Item>, paging: Paging, context: Context, maximum?: number): Item[] {
  return pageOf(items, paging, context, { size: 'messaging-page-size', order }, maximum);
}

/** A list of this part that has no pages. */
export function whole<Item>(items: Iterable<Item>, context: Context): Item[] {
  const list = [...items];
  markOrder(list.length, context, order);
  return list;
}

/** Names the choices of what shows a date in a form that the documents leave open. */
export function markDates(context: Context): void {
  context.chose('messaging-dates-format');
  context.chose('utc-dates');
}
