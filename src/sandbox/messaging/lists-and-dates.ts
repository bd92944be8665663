import type { AnyChoice } from '../choices.ts';
import type { ListChoices } from '../context.ts';

/** The choices of a reply that shows a date. */
export const dateChoices = ['messaging-dates-format', 'utc-dates'] as const satisfies readonly AnyChoice[];

/** The choices of a list without pages. */
export const wholeList = { order: 'messaging-list-order' } as const satisfies ListChoices;

/** The choices of a list with pages. */
export const pagedList = { ...wholeList, pageSize: 'messaging-page-size' } as const satisfies ListChoices;
