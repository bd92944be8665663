import * as z from 'zod';
import type { Resource } from '../data/resource.ts';
import { Table } from '../data/table.ts';
import { addressKey } from './common.ts';

export interface EmailSendersTables {
  /** Sender addresses of the Email and SMTP services, by address in lower case. */
  senders: Table<string, Mailbox>;
}

export interface Mailbox {
  name: string;
  email: string;
}

/** @internal */
export const zMailbox = z.object({ name: z.string(), email: z.string() });

const choices = {
  'email-sender':
    'Emails and resubscription requests must use a sender address of the account. Any other address gets status 422.',
  'email-known-sender': 'Adding an existing sender address changes its name and succeeds.',
} as const;

/** Sender address of the example story (spec/README.md). */
export const salesSender: Readonly<Mailbox> = { name: 'Example Sales', email: 'sales@example.com' };

/**
 * Sender addresses and IP addresses.
 *
 * @internal
 */
export const emailSenders: Resource<EmailSendersTables, typeof choices> = {
  tables: (ledger) => ({
    senders: new Table(ledger, 'email.senders', {
      key: ({ email }) => addressKey(email),
      schema: zMailbox,
      title: ({ name }) => [name],
    }),
  }),

  seed(state) {
    state.senders.put(salesSender);
  },

  choices,
};
