import { type CrmState, emptyCrmState } from './crm/state.ts';
import { type EmailState, emptyEmailState } from './email/state.ts';
import { emptyMessagingState, type MessagingState } from './messaging/state.ts';

/** Everything that a sandbox holds. Tests may change it in place. */
export interface State {
  /** Pipelines, deals, contacts and what belongs to them (Document 1). */
  crm: CrmState;
  /** Messaging-app campaigns, the phone blacklist and web push (Document 2). */
  messaging: MessagingState;
  /** Transactional email (Document 3). */
  email: EmailState;
  /** Access tokens that were issued, with the moment of their end in milliseconds since 1970 (Document 1 §5). */
  tokens: Map<string, number>;
}

export function emptyState(): State {
  return { crm: emptyCrmState(), messaging: emptyMessagingState(), email: emptyEmailState(), tokens: new Map() };
}
