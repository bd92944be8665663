import type { Ledger } from '../data/ledger.ts';
import { Settings } from '../data/settings.ts';
import { type DomainsState, emptyDomains } from './domains/state.ts';
import { emptyMessages, type MessagesState } from './messages/state.ts';
import { emptySenders, type SendersState } from './senders/state.ts';
import { emptyUnsubscribes, type UnsubscribesState } from './unsubscribes/state.ts';

/** Email data: tables of records. */
export interface EmailState extends MessagesState, UnsubscribesState, SendersState, DomainsState {
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

const defaults: EmailSettings = {
  nextId: 1,
  activated: true,
  userId: 1001,
  ips: ['192.0.2.10'],
  resubscriptions: [],
};

export function emptyEmailState(ledger: Ledger): EmailState {
  return {
    settings: new Settings(ledger, 'email.settings', defaults),
    ...emptyMessages(ledger),
    ...emptyUnsubscribes(ledger),
    ...emptySenders(ledger),
    ...emptyDomains(ledger),
  };
}
