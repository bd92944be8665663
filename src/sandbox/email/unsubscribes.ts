import * as z from 'zod';
import type { Resource } from '../data/resource.ts';
import { Table } from '../data/table.ts';
import { type UnhandledFields, zUnhandledFields } from '../rules/unhandled-fields.ts';
import { addressKey } from './common.ts';

export interface UnsubscribesTables {
  /** Entries for unsubscribed addresses, by address in lower case. */
  unsubscribed: Table<string, UnsubscribedEntry>;
}

export interface UnsubscribedEntry extends UnhandledFields {
  email: string;
  /** Comment from the request. No response contains it. */
  comment: string;
  byLink: number;
  byUser: number;
  spamComplaint: number;
  at: number;
}

const zUnsubscribedEntry = z.object({
  email: z.string(),
  comment: z.string(),
  byLink: z.number(),
  byUser: z.number(),
  spamComplaint: z.number(),
  at: z.number(),
  unhandled: zUnhandledFields,
});

const choices = {
  'email-unsubscribe-entry':
    'For an address that a request unsubscribes, `unsubscribe_by_user` is 1, and `unsubscribe_by_link` and `spam_complaint` are 0.',
  'email-unsubscribed-already': 'Unsubscribing an address that is already on the list does not change its entry.',
  'email-not-unsubscribed': 'A request to remove an address that is not on the list succeeds and changes nothing.',
  'email-no-addresses': 'A request that contains no addresses to unsubscribe or remove succeeds and changes nothing.',
  'email-resubscribe-unlisted': 'A resubscription request for an address that is not on the list returns status 422.',
  'email-quota-response':
    'A resubscription request beyond the quota returns status 429, regardless of the address. `Retry-After` contains the number of whole seconds until the quota permits another request. Rejected requests do not count towards the quota.',
  'email-confirmation':
    'The confirmation email is in English, regardless of `lang`. The email contains no link, and the recipient never confirms.',
} as const;

/**
 * Unsubscribed addresses.
 *
 * @internal
 */
export const unsubscribes: Resource<UnsubscribesTables, typeof choices> = {
  tables: (ledger) => ({
    unsubscribed: new Table(ledger, 'email.unsubscribed', {
      key: ({ email }) => addressKey(email),
      schema: zUnsubscribedEntry,
    }),
  }),

  /** Adds nothing, because the seed of messages adds the entries. */
  seed() {},

  choices,
};

/** Adds an unsubscribed address to the seed. */
export function seedUnsubscribed({ unsubscribed }: UnsubscribesTables, email: string, at: number): void {
  unsubscribed.put({ email, comment: 'Asked by phone', byLink: 0, byUser: 1, spamComplaint: 0, at });
}
