import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';
import { addressKey } from '../address-key.ts';

export interface UnsubscribesState {
  /** Entries by address in lower case. */
  unsubscribed: Table<string, UnsubscribedEntry>;
}

export interface UnsubscribedEntry {
  email: string;
  /** Not part of any reply. */
  comment: string;
  byLink: number;
  byUser: number;
  spamComplaint: number;
  at: number;
}

export function emptyUnsubscribes(ledger: Ledger): UnsubscribesState {
  return { unsubscribed: new Table(ledger, 'email.unsubscribed', ({ email }) => addressKey(email)) };
}

/** Adds an unsubscribed address to the seed. */
export function seedUnsubscribed({ unsubscribed }: UnsubscribesState, email: string, at: number): void {
  unsubscribed.put({ email, comment: 'Asked by phone', byLink: 0, byUser: 1, spamComplaint: 0, at });
}
