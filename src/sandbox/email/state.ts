import { type DomainsState, emptyDomains } from './domains/state.ts';
import { emptyMessages, type MessagesState } from './messages/state.ts';
import { emptySenders, type SendersState } from './senders/state.ts';
import { emptyUnsubscribes, type UnsubscribesState } from './unsubscribes/state.ts';

/** Email data: plain objects and Maps, so that a snapshot is a simple copy. */
export interface EmailState extends MessagesState, UnsubscribesState, SendersState, DomainsState {
  nextId: number;
  /** Whether the SMTP account is activated. */
  activated: boolean;
}

export function emptyEmailState(): EmailState {
  return {
    nextId: 1,
    activated: true,
    ...emptyMessages(),
    ...emptyUnsubscribes(),
    ...emptySenders(),
    ...emptyDomains(),
  };
}
