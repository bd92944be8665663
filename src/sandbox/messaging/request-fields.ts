import type { PhoneNumber } from '../../../generated/messaging/models.ts';
import { parseDateTime } from '../data/dates.ts';
import type { Context } from '../rules/context.ts';

/** Returns whether a request contains a number. Null and 0 count as missing. */
export function isGiven(number: number | null | undefined): boolean {
  return number !== undefined && number !== null && number !== 0;
}

/** Returns the phone numbers in a request as integers, without duplicates. */
export function readPhones(phones: readonly PhoneNumber[], context: Context): Set<number> {
  const read = new Set(phones.map(Number));
  for (const phone of read) {
    if (!Number.isSafeInteger(phone) || phone <= 0)
      context.rejectByChoice('messaging-phone-range', `${phone} is not a phone number.`);
  }
  if (read.size < phones.length) context.chose('messaging-repeated-phone');
  return read;
}

/** Returns the time in a request field. Rejects a date that does not exist. */
export function readDate(name: string, text: string, context: Context): number {
  const moment = parseDateTime(text);
  if (moment === undefined)
    return context.rejectByChoice('messaging-impossible-date', `${name} must be a valid date and time.`);
  context.chose('utc-dates');
  return moment;
}
