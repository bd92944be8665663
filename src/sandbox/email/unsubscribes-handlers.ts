import { emailBehaviour } from '../../../generated/email/behaviour.ts';
import { zAddressToUnsubscribe, zUnsubscribedEmail } from '../../../generated/email/zod.ts';
import { formatDateTime } from '../data/dates.ts';
import { dateChoices } from '../rules/choices.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { checkQuota } from '../rules/quota.ts';
import { shownUnhandled, unhandledFields } from '../rules/unhandled-fields.ts';
import { readAddress } from './addresses.ts';
import { addressKey, newestFirst, onDay } from './common.ts';
import { dispatch, sendingChoices } from './messages/dispatch.ts';
import { rejectUnknownSender } from './senders-handlers.ts';

const quota = emailBehaviour.requestEmailResubscription.quota;

/** @internal */
export const unsubscribeHandlers = {
  /** Sends a confirmation email. The address stays on the list of unsubscribed addresses. */
  requestEmailResubscription: {
    always: [...sendingChoices, 'email-confirmation'],
    handle({ body }, context) {
      const { email: state } = context.state;
      const email = readAddress(body.email, 'email', context);
      const sender = readAddress(body.sender, 'sender', context);
      const recent = checkQuota(context, state.settings.get('resubscriptions'), quota, 'email-resubscription-quota', {
        message: `An account can make ${quota.requests} resubscription requests in ${quota.seconds / 3_600} hours.`,
        choice: 'email-quota-response',
      });
      rejectUnknownSender(sender, 'sender', context);
      if (!state.unsubscribed.has(addressKey(email)))
        context.rejectByChoice('email-resubscribe-unlisted', 'email must be on the list of unsubscribed addresses.');

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
  },

  listUnsubscribedEmails: {
    list: { order: 'email-list-order', pageSize: 'page-size', entry: ['email-unsubscribe-entry', ...dateChoices] },
    handle({ query }, context) {
      const isWanted = onDay(query.date);
      if (query.date) context.chose('utc-dates');
      const entries = newestFirst(context.state.email.unsubscribed, ({ at }) => isWanted(at));
      return context.page(entries, query).map(({ email, byLink, byUser, spamComplaint, at, ...rest }) => ({
        ...shownUnhandled(rest, zUnsubscribedEmail),
        email,
        unsubscribe_by_link: byLink,
        unsubscribe_by_user: byUser,
        spam_complaint: spamComplaint,
        date: formatDateTime(at),
      }));
    },
  },

  addUnsubscribedEmails({ body }, context) {
    const { unsubscribed } = context.state.email;
    const given = (body?.emails ?? []).map(({ email, comment = '', ...untreated }, index) => ({
      ...unhandledFields(untreated, zAddressToUnsubscribe, zUnsubscribedEmail),
      email: readAddress(email, `emails[${index}].email`, context),
      comment,
    }));
    context.chose(given.length > 0 ? 'email-unsubscribe-entry' : 'email-no-addresses');
    for (const entry of given) {
      const key = addressKey(entry.email);
      if (unsubscribed.has(key)) context.chose('email-unsubscribed-already');
      else unsubscribed.put({ ...entry, byLink: 0, byUser: 1, spamComplaint: 0, at: context.now });
    }
    return { result: true };
  },

  removeUnsubscribedEmails({ body }, context) {
    const { unsubscribed } = context.state.email;
    const given = body?.emails ?? [];
    if (given.length === 0) context.chose('email-no-addresses');
    for (const email of given) if (!unsubscribed.delete(addressKey(email))) context.chose('email-not-unsubscribed');
    return { result: true };
  },
} satisfies Partial<Handlers['email']>;
