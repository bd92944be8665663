import * as z from 'zod';
import type { Context } from '../context.ts';
import { Table } from '../data/table.ts';
import { addressKey, readAddress } from './addresses.ts';
import { wholeList } from './common.ts';
import type { EmailResource } from './resources.ts';

export interface SendersTables {
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

type Operations = 'listSenderIps' | 'listSenderAddresses' | 'createSenderAddress';

/** Sender address of the example story (spec/README.md). */
export const salesSender: Readonly<Mailbox> = { name: 'Example Sales', email: 'sales@example.com' };

/**
 * Sender addresses and IP addresses.
 *
 * @internal
 */
export const senders: EmailResource<SendersTables, typeof choices, Operations> = {
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

  handlers: {
    listSenderIps(_request, { state }) {
      return [...state.email.settings.get('ips')];
    },

    listSenderAddresses: {
      list: wholeList,
      handle: (_request, context) => context.list(context.state.email.senders.values()).map(({ email }) => email),
    },

    createSenderAddress({ body }, context) {
      const { senders } = context.state.email;
      const email = readAddress(body.email, 'email', context);
      const known = senders.get(addressKey(email));
      if (known) context.chose('email-known-sender');
      senders.put({ name: body.name, email: known?.email ?? email });
      return { result: true };
    },
  },
};

/** Refuses to send from an address that is not a sender address of the account. */
export function refuseUnknownSender(address: string, place: string, context: Context): void {
  if (context.state.email.senders.has(addressKey(address))) return;
  context.refuse('email-sender-addresses-shared', {
    message: `${place} is not a sender address of the account. Add it with POST /senders.`,
    choice: 'email-sender',
  });
}
