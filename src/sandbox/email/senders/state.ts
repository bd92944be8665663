import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';
import { addressKey } from '../address-key.ts';

export interface Mailbox {
  name: string;
  email: string;
}

export interface SendersState {
  /** Sender addresses of the Email and SMTP services, by address in lower case. */
  senders: Table<string, Mailbox>;
}

export function emptySenders(ledger: Ledger): SendersState {
  return { senders: new Table(ledger, 'email.senders', ({ email }) => addressKey(email)) };
}

/** Sender address of the example story (spec/README.md). */
export const salesSender: Readonly<Mailbox> = { name: 'Example Sales', email: 'sales@example.com' };

export function seedSenders({ senders }: SendersState): void {
  senders.put(salesSender);
}
