import type { Context } from '../context.ts';
import type { EmailHandlers } from '../handler-types.ts';
import { domainHandlers } from './domains/handlers.ts';
import { bounceHandlers } from './messages/bounces.ts';
import { messageHandlers } from './messages/handlers.ts';
import { senderHandlers } from './senders/handlers.ts';
import { unsubscribeHandlers } from './unsubscribes/handlers.ts';

/** Email handlers by operationId. */
export const emailHandlers: EmailHandlers = {
  ...messageHandlers,
  ...bounceHandlers,
  ...unsubscribeHandlers,
  ...senderHandlers,
  ...domainHandlers,
};

/** Refuses all email operations while the SMTP account is not activated. */
export function refuseUnactivated(_request: unknown, context: Context): void {
  if (context.state.email.settings.get('activated')) return;
  context.refuse('email-account-activated', {
    status: 403,
    message: 'The SMTP account is not activated.',
    choice: 'email-account-active',
  });
}
