import { parseDateTime } from '../data/dates.ts';
import type { Context } from '../rules/context.ts';

/** Returns the time in a field of a request. */
export function readDate(name: string, text: string, context: Context): number {
  const moment = parseDateTime(text);
  if (moment === undefined) {
    const message = `${name} must be a date and time that exists.`;
    return context.rejectByChoice('messaging-impossible-date', { message });
  }
  context.chose('utc-dates');
  return moment;
}
