import type { AnyChoice } from '../choices.ts';
import type { ListChoices } from '../context.ts';

/** The choices of a reply that shows a date. */
export const dateChoices = ['email-dates-format', 'utc-dates'] as const satisfies readonly AnyChoice[];

/** The choices of a list without pages. */
export const wholeList = { order: 'email-list-order' } as const satisfies ListChoices;

/** The choices of a list with pages. */
export const pagedList = { ...wholeList, pageSize: 'email-page-size' } as const satisfies ListChoices;

/** The entries of a Map that pass a test, the last one first. */
export function newestFirst<Item>(items: ReadonlyMap<unknown, Item>, passes: (item: Item) => boolean): Item[] {
  return [...items.values()].filter(passes).reverse();
}

/** A test for moments on a day; every moment passes if no day is given. */
export function onDay(date: string | undefined): (moment: number) => boolean {
  if (!date) return () => true;
  const begins = Date.parse(`${date}T00:00:00Z`);
  return (moment) => moment >= begins && moment < begins + 86_400_000;
}
