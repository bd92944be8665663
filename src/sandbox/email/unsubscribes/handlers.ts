import { formatDateTime } from '../../dates.ts';
import type { EmailHandlers } from '../../handler-types.ts';
import { addressKey } from '../address-key.ts';
import { readAddress } from '../addresses.ts';
import { dateChoices, newestFirst, onDay, pagedList } from '../lists-and-dates.ts';
import { requestEmailResubscription } from './resubscription.ts';

type Names =
  | 'listUnsubscribedEmails'
  | 'addUnsubscribedEmails'
  | 'removeUnsubscribedEmails'
  | 'requestEmailResubscription';

export const unsubscribeHandlers: Pick<EmailHandlers, Names> = {
  requestEmailResubscription,

  listUnsubscribedEmails: {
    list: { ...pagedList, entry: ['email-unsubscribe-entry', ...dateChoices] },
    handle({ query }, context) {
      const isWanted = onDay(query.date);
      if (query.date) context.chose('utc-dates');
      const entries = newestFirst(context.state.email.unsubscribed, ({ at }) => isWanted(at));
      return context.page(entries, query).map(({ email, byLink, byUser, spamComplaint, at }) => ({
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
    const given = (body?.emails ?? []).map(({ email, comment = '' }, index) => ({
      email: readAddress(email, `emails[${index}].email`, context),
      comment,
    }));
    context.chose(given.length > 0 ? 'email-unsubscribe-entry' : 'email-no-addresses');
    for (const { email, comment } of given) {
      const key = addressKey(email);
      if (unsubscribed.has(key)) context.chose('email-unsubscribed-already');
      else unsubscribed.put({ email, comment, byLink: 0, byUser: 1, spamComplaint: 0, at: context.now });
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
};
