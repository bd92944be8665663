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
    'An email or resubscription request must use a sender address of the account. A request with any other address returns status 422.',
  'email-known-sender': 'A request to add an existing sender address succeeds and changes the name of the address.',
} as const;

/** Sender address in the example story (spec/README.md). */
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
