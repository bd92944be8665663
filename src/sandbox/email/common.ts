import * as z from 'zod';
import { day } from '../data/dates.ts';
import type { Resource } from '../data/resource.ts';
import { Settings } from '../data/settings.ts';

export interface EmailCommonTables {
  settings: Settings<EmailSettings>;
}

export interface EmailSettings {
  nextId: number;
  /** Whether the SMTP account is activated. */
  activated: boolean;
  /** `user_id` of new sending domains. */
  userId: number;
  /** IP addresses that the account sends from. */
  ips: readonly string[];
  /** Times of the resubscription requests that may still count towards the quota. */
  resubscriptions: readonly number[];
}

const zEmailSettings = z
  .strictObject({
    nextId: z.int().min(1),
    activated: z.boolean(),
    userId: z.int(),
    ips: z.array(z.string()),
    resubscriptions: z.array(z.number()),
  })
  .partial();

const defaults: EmailSettings = {
  nextId: 1,
  activated: true,
  userId: 1001,
  ips: ['192.0.2.10'],
  resubscriptions: [],
};

/** Choices that several resources share. */
const choices = {
  'email-account-active':
    'The SMTP account is activated. While `state.email.activated` is false, all email operations return status 403.',
  'email-rejection':
    'A request that violates a rule in the email document returns status 422, with a sentence in `message`. The documents do not specify this response.',
  'email-address':
    'An address has two parts with one @ between them, and contains no spaces. A request returns status 422 if the address in `from` or the address of a recipient is missing or invalid, if `to` contains no recipient, or if an address to unsubscribe is invalid. Comparisons of addresses ignore case.',
  'email-list-order':
    'Messages, bounces and unsubscribed addresses are listed newest first. Sender addresses and sending domains are listed in the order in which they were added.',
} as const;

/**
 * Settings and choices that the email resources share.
 *
 * @internal
 */
export const emailCommon: Resource<EmailCommonTables, typeof choices> = {
  tables: (ledger) => ({ settings: new Settings(ledger, 'email.settings', { defaults, schema: zEmailSettings }) }),

  seed({ settings }) {
    // Higher than all IDs of the example story.
    settings.set('nextId', 101);
  },

  choices,
};

/** Returns the values of a `Map` that pass a test, in reverse order of insertion. */
export function newestFirst<Item>(items: ReadonlyMap<unknown, Item>, passes: (item: Item) => boolean): Item[] {
  return [...items.values()].filter(passes).reverse();
}

/** Returns a test for times on a day. If no day is given, all times pass. */
export function onDay(date: string | undefined): (moment: number) => boolean {
  if (!date) return () => true;
  const begins = Date.parse(`${date}T00:00:00Z`);
  return (moment) => moment >= begins && moment < begins + day;
}

/** Normalises an address for comparison. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}
