import type { Context } from '../rules/context.ts';
import { domainHandlers } from './domains-handlers.ts';
import { messageHandlers } from './messages/messages-handlers.ts';
import type { email } from './resources.ts';
import { emailSenderHandlers } from './senders-handlers.ts';
import { unsubscribeHandlers } from './unsubscribes-handlers.ts';

/**
 * The handlers of the email resources, by resource name in `resources.ts`.
 *
 * @internal
 */
export const emailHandlers = {
  messages: messageHandlers,
  unsubscribes: unsubscribeHandlers,
  senders: emailSenderHandlers,
  domains: domainHandlers,
} satisfies { [Name in keyof typeof email.resources]?: object };

/** Rejects all email operations while the SMTP account is not activated. */
export function rejectUnactivated(_request: unknown, context: Context): void {
  if (context.state.email.settings.get('activated')) return;
  context.reject('email-account-activated', {
    status: 403,
    message: 'The SMTP account is not activated.',
    choice: 'email-account-active',
  });
}
