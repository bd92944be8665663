import type { AnyChoice } from '../rules/choices.ts';
import type { ListChoices } from '../rules/context.ts';

/** Choices for replies with a date. */
export const dateChoices = ['email-dates-format', 'utc-dates'] as const satisfies readonly AnyChoice[];

/** Choices for lists without pages. */
export const wholeList = { order: 'email-list-order' } as const satisfies ListChoices;

/** Choices for lists with pages. */
export const pagedList = { ...wholeList, pageSize: 'email-page-size' } as const satisfies ListChoices;
