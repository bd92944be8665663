import type { Context } from '../../handler.ts';
import { emailRoutes } from '../../routes.ts';

/** Comes before every operation of this part, by operationId. */
export const activationChecks = Object.fromEntries(emailRoutes.map(({ id }) => [id, refuseUnactivated]));

function refuseUnactivated(_request: unknown, context: Context): void {
  if (context.state.email.activated) return;
  context.refuse('email-account-activated', {
    status: 403,
    message: 'The SMTP account is not activated.',
    choice: 'email-account-active',
  });
}
