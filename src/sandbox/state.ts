import { type CrmState, emptyCrmState } from './crm/state.ts';
import { type EmailState, emptyEmailState } from './email/state.ts';
import { emptyMessagingState, type MessagingState } from './messaging/state.ts';

/** All data of a sandbox. Tests may change it in place. */
export interface State {
  /** Pipelines, deals, contacts and related records (CRM document). */
  crm: CrmState;
  /** Messaging-app campaigns, the phone blacklist and web push (messaging document). */
  messaging: MessagingState;
  /** Transactional email (email document). */
  email: EmailState;
  /** Issued access tokens, with their expiry times in milliseconds since 1970. */
  tokens: Map<string, number>;
}

export function emptyState(): State {
  return { crm: emptyCrmState(), messaging: emptyMessagingState(), email: emptyEmailState(), tokens: new Map() };
}
