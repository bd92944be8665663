import * as z from 'zod';
import { emailBehaviour } from '../../../generated/email/behaviour.ts';
import { zAddressToUnsubscribe, zUnsubscribedEmail } from '../../../generated/email/zod.ts';
import type { Context } from '../context.ts';
import { Table } from '../data/table.ts';
import { formatDateTime } from '../dates.ts';
import { type FurtherFields, furtherFields, shownFurther, zFurtherFields } from '../further-fields.ts';
import { secondsUntilFree, withinQuota } from '../quota.ts';
import { addressKey, readAddress } from './addresses.ts';
import { dateChoices, newestFirst, onDay, pagedList } from './common.ts';
import { dispatch, sendingChoices } from './messages/dispatch.ts';
import type { EmailResource } from './resources.ts';
import { refuseUnknownSender } from './senders.ts';

export interface UnsubscribesTables {
  /** Entries by address in lower case. */
  unsubscribed: Table<string, UnsubscribedEntry>;
}

export interface UnsubscribedEntry extends FurtherFields {
  email: string;
  /** Not part of any reply. */
  comment: string;
  byLink: number;
  byUser: number;
  spamComplaint: number;
  at: number;
}

const zUnsubscribedEntry = z.object({
  email: z.string(),
  comment: z.string(),
  byLink: z.number(),
  byUser: z.number(),
  spamComplaint: z.number(),
  at: z.number(),
  further: zFurtherFields,
});

const choices = {
  'email-unsubscribe-entry':
    'An address unsubscribed by a request has 1 in `unsubscribe_by_user` and 0 in the other fields.',
  'email-unsubscribed-already': 'Unsubscribing an address that is already on the list does not change its entry.',
  'email-not-unsubscribed': 'Removing an address that is not on the list changes nothing and succeeds.',
  'email-no-addresses': 'A request to unsubscribe or remove no addresses changes nothing and succeeds.',
  'email-resubscribe-unlisted': 'A resubscription request for an address that is not on the list gets status 422.',
  'email-quota-answer':
    'A resubscription request beyond the quota gets status 429, for any address. `Retry-After` has the whole seconds until the quota permits another request. Refused requests do not count.',
  'email-confirmation':
    'The confirmation email is in English, for any value of `lang`. It has no link, and the recipient never confirms.',
} as const;

type Operations =
  | 'listUnsubscribedEmails'
  | 'addUnsubscribedEmails'
  | 'removeUnsubscribedEmails'
  | 'requestEmailResubscription';

const quota = emailBehaviour.requestEmailResubscription.quota;

/**
 * Unsubscribed addresses.
 *
 * @internal
 */
export const unsubscribes: EmailResource<UnsubscribesTables, typeof choices, Operations> = {
  tables: (ledger) => ({
    unsubscribed: new Table(ledger, 'email.unsubscribed', {
      key: ({ email }) => addressKey(email),
      schema: zUnsubscribedEntry,
    }),
  }),

  /** The seed of messages adds the entries. */
  seed() {},

  choices,

  handlers: {
    /** Sends a confirmation email. The address stays on the list. */
    requestEmailResubscription: {
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
    },

    listUnsubscribedEmails: {
      list: { ...pagedList, entry: ['email-unsubscribe-entry', ...dateChoices] },
      handle({ query }, context) {
        const isWanted = onDay(query.date);
        if (query.date) context.chose('utc-dates');
        const entries = newestFirst(context.state.email.unsubscribed, ({ at }) => isWanted(at));
        return context.page(entries, query).map(({ email, byLink, byUser, spamComplaint, at, ...rest }) => ({
          ...shownFurther(rest, zUnsubscribedEmail),
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
        ...furtherFields(untreated, zAddressToUnsubscribe, zUnsubscribedEmail),
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

/** Adds an unsubscribed address to the seed. */
export function seedUnsubscribed({ unsubscribed }: UnsubscribesTables, email: string, at: number): void {
  unsubscribed.put({ email, comment: 'Asked by phone', byLink: 0, byUser: 1, spamComplaint: 0, at });
}
