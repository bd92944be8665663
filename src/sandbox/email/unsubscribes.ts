import * as z from 'zod';
import type { Resource } from '../data/resource.ts';
import { Table } from '../data/table.ts';
import { type UnhandledFields, zUnhandledFields } from '../rules/unhandled-fields.ts';
import { addressKey } from './common.ts';

export interface UnsubscribesTables {
  /** Entries by address in lower case. */
  unsubscribed: Table<string, UnsubscribedEntry>;
}

export interface UnsubscribedEntry extends UnhandledFields {
  email: string;
  /** Not part of any response. */
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
    'An address unsubscribed by a request has 1 in `unsubscribe_by_user` and 0 in the other fields.',
  'email-unsubscribed-already': 'Unsubscribing an address that is already on the list does not change its entry.',
  'email-not-unsubscribed': 'Removing an address that is not on the list changes nothing and succeeds.',
  'email-no-addresses': 'A request to unsubscribe or remove no addresses changes nothing and succeeds.',
  'email-resubscribe-unlisted': 'A resubscription request for an address that is not on the list gets status 422.',
  'email-quota-response':
    'A resubscription request beyond the quota gets status 429, for any address. `Retry-After` has the whole seconds until the quota permits another request. Rejected requests do not count.',
  'email-confirmation':
    'The confirmation email is in English, for any value of `lang`. It has no link, and the recipient never confirms.',
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

  /** The seed of messages adds the entries. */
  seed() {},

  choices,
};

/** Adds an unsubscribed address to the seed. */
export function seedUnsubscribed({ unsubscribed }: UnsubscribesTables, email: string, at: number): void {
  unsubscribed.put({ email, comment: 'Asked by phone', byLink: 0, byUser: 1, spamComplaint: 0, at });
}
