import { type CrmState, emptyCrmState } from './crm.ts';
import { type EmailState, emptyEmailState } from './email.ts';
import { emptyMessagingState, type MessagingState } from './messaging.ts';

/** Everything that a sandbox holds. */
export interface State {
  crm: CrmState;
  messaging: MessagingState;
  email: EmailState;
  /** Access tokens that were issued, with the moment of their end. */
  tokens: Map<string, number>;
}

export function emptyState(): State {
  return { crm: emptyCrmState(), messaging: emptyMessagingState(), email: emptyEmailState(), tokens: new Map() };
}
