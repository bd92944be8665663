import { emailReference } from '../../../../generated/email/reference.ts';
import type { Context } from '../../context.ts';
import type { EmailHandlers } from '../../handler-types.ts';
import { secondsUntilFree, withinQuota } from '../../quota.ts';
import { addressKey } from '../address-key.ts';
import { readAddress } from '../addresses.ts';
import { dispatch, sendingChoices } from '../messages/dispatch.ts';
import { refuseUnknownSender } from '../senders/handlers.ts';

const quota = emailReference.requestEmailResubscription.quota;

/** Sends a confirmation email. The address stays on the list. */
export const requestEmailResubscription: EmailHandlers['requestEmailResubscription'] = {
  always: [...sendingChoices, 'email-confirmation'],
  handle({ body }, context) {
    const { email: state } = context.state;
    const email = readAddress(body.email, 'email', context);
    const sender = readAddress(body.sender, 'sender', context);
    const recent = requestsWithinQuota(state.settings.get('resubscriptions'), context);
    refuseUnknownSender(sender, 'sender', context);
    if (!state.unsubscribed.has(addressKey(email)))
      context.refuseByChoice('email-resubscribe-unlisted', { message: 'email is not on the unsubscribed list.' });

    const text = 'Please confirm that you want to get our emails again.';
    const id = dispatch(
      {
        from: { name: state.senders.get(addressKey(sender))?.name ?? '', email: sender },
        visible: { to: [{ name: '', email }], cc: [] },
        hidden: { bcc: [] },
        subject: 'Confirm your subscription',
        html: `<p>${text}</p>`,
        text,
        attachments: [],
      },
      0,
      context,
    );
    state.settings.set('resubscriptions', [...recent, context.now]);
    return { result: true, id };
  },
};

/** Returns the times of the requests that count towards the quota. Refuses the request if the quota is exhausted. */
function requestsWithinQuota(requests: readonly number[], context: Context): number[] {
  const recent = withinQuota(requests, quota, context.now);
  if (recent.length >= quota.requests)
    context.refuse('email-resubscription-quota', {
      status: 429,
      message: `An account can make ${quota.requests} resubscription requests in ${quota.seconds / 3_600} hours.`,
      choice: 'email-quota-answer',
      retryAfter: secondsUntilFree(recent, quota, context.now),
    });
  return recent;
}
