import { parseDateTime } from '../data/dates.ts';
import type { Context } from '../rules/context.ts';

/** Returns the time in a field of a request. */
export function readDate(name: string, text: string, context: Context): number {
  const moment = parseDateTime(text);
  if (moment === undefined)
    return context.rejectByChoice('messaging-impossible-date', `${name} must be a date and time that exists.`);
  context.chose('utc-dates');
  return moment;
}
