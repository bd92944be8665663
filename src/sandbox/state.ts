import { type CrmState, emptyCrmState } from './crm/state.ts';
import type { Ledger } from './data/ledger.ts';
import { Table } from './data/table.ts';
import { type EmailState, emptyEmailState } from './email/state.ts';
import { emptyMessagingState, type MessagingState } from './messaging/state.ts';

/**
 * All data of a sandbox, in tables. A table is a Map whose records never change: to change a record, replace it with
 * `put`.
 */
export interface SandboxState {
  /** Pipelines, deals, contacts and related records (CRM document). */
  crm: CrmState;
  /** Messaging-app campaigns, the phone blacklist and web push (messaging document). */
  messaging: MessagingState;
  /** Transactional email (email document). */
  email: EmailState;
  /** Issued access tokens. */
  tokens: Table<string, StoredToken>;
}

export interface StoredToken {
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export function emptyState(ledger: Ledger): SandboxState {
  return {
    crm: emptyCrmState(ledger),
    messaging: emptyMessagingState(ledger),
    email: emptyEmailState(ledger),
    tokens: new Table(ledger, 'tokens', ({ token }) => token),
  };
}
