import type { AnyChoice } from '../choices.ts';
import type { ListChoices } from '../context.ts';

/** Choices for replies with a date. */
export const dateChoices = ['email-dates-format', 'utc-dates'] as const satisfies readonly AnyChoice[];

/** Choices for lists without pages. */
export const wholeList = { order: 'email-list-order' } as const satisfies ListChoices;

/** Choices for lists with pages. */
export const pagedList = { ...wholeList, pageSize: 'email-page-size' } as const satisfies ListChoices;

/** Returns the entries of a Map that pass a test, last one first. */
export function newestFirst<Item>(items: ReadonlyMap<unknown, Item>, passes: (item: Item) => boolean): Item[] {
  return [...items.values()].filter(passes).reverse();
}

/** Returns a test for times on a day. Without a day, all times pass. */
export function onDay(date: string | undefined): (moment: number) => boolean {
  if (!date) return () => true;
  const begins = Date.parse(`${date}T00:00:00Z`);
  return (moment) => moment >= begins && moment < begins + 86_400_000;
}
