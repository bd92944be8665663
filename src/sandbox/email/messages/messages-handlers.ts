import { emailRules } from '../../../../generated/email/reference.ts';
import { day, hour, parseDateTime, second } from '../../data/dates.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers, RequestOf } from '../../rules/handler-types.ts';
import { countIf } from '../../rules/paging.ts';
import { addressKey, newestFirst, onDay } from '../common.ts';
import { listItem, recordChoices, singleRecord } from './message-record.ts';
import { countryOff, type MessageEntry } from './messages.ts';
import { sendEmailMessage } from './send.ts';

type ListQuery = RequestOf<Handlers['email']['listEmailMessages']>['query'];

/** How long bounces are listed, in milliseconds. */
const bounceWindow = emailRules['email-bounce-window'].values.hours * hour;

/** @internal */
export const messageHandlers = {
  sendEmailMessage,

  listEmailMessages: {
    list: { order: 'email-list-order', pageSize: 'page-size', entry: recordChoices },
    handle({ query }, context) {
      const passes = readFilter(query, context);
      const hasCountry = query.country !== countryOff;
      if (query.country && hasCountry) context.chose('email-country');
      const found = context.page(newestFirst(context.state.email.messages, passes), query);
      return found.map((entry) => listItem(entry, context, hasCountry));
    },
  },

  countEmailMessages: {
    always: ['email-message-record'],
    handle(_request, context) {
      return { total: context.state.email.messages.size };
    },
  },

  getEmailMessage: {
    always: recordChoices,
    handle({ path }, context) {
      return singleRecord(context.find(context.state.email.messages, path.id, 'message'), context);
    },
  },

  getManyEmailMessages: {
    always: ['email-many-messages'],
    list: { entry: recordChoices },
    handle({ body }, context) {
      const found = context.state.email.messages.getAll(new Set(body.emails));
      return context.list(found).map((entry) => listItem(entry, context));
    },
  },

  listEmailBounces: {
    always: ['email-bounce-time'],
    list: { order: 'email-list-order', pageSize: 'page-size', entry: recordChoices },
    handle({ query }, context) {
      const passes = isBounce(context, onDay(query.date));
      if (query.date) context.chose('utc-dates');
      const found = context.page(newestFirst(context.state.email.messages, passes), query);
      return found.map((entry) => listItem(entry, context));
    },
  },

  countEmailBounces: {
    always: ['email-bounce-time'],
    handle(_request, context) {
      const total = countIf(context.state.email.messages.values(), isBounce(context, onDay(undefined)));
      if (total > 0) context.chose('email-delivery');
      return { total };
    },
  },
} satisfies Partial<Handlers['email']>;

/** Returns a test for the messages that a list request selects. */
function readFilter(query: ListQuery, context: Context): (entry: MessageEntry) => boolean {
  const { from, to, sender, recipient, country } = query;
  if ([from, to, sender, recipient, country].includes('')) context.chose('email-empty-filter');
  const [begins = Number.NEGATIVE_INFINITY] = readPeriod(from, 'from', context) ?? [];
  const [, ends = Number.POSITIVE_INFINITY] = readPeriod(to, 'to', context) ?? [];
  const senderKey = sender ? addressKey(sender) : undefined;
  const recipientKey = recipient ? addressKey(recipient) : undefined;
  if (sender || recipient) context.chose('email-message-addresses');
  return ({ sentAt, email: { from: mailbox, visible, hidden } }) => {
    if (sentAt < begins || sentAt >= ends) return false;
    if (senderKey !== undefined && addressKey(mailbox.email) !== senderKey) return false;
    if (recipientKey === undefined) return true;
    return [visible.to, visible.cc, hidden.bcc].some((mailboxes) =>
      mailboxes.some(({ email }) => addressKey(email) === recipientKey),
    );
  };
}

/** Returns the start of the second or day that a date specifies, and the start of the next second or day. */
function readPeriod(text: string | undefined, name: string, context: Context): [number, number] | undefined {
  if (!text) return undefined;
  const moment = parseDateTime(text);
  if (moment === undefined)
    return context.rejectByChoice('email-message-period', `${name} must be a date, such as 2026-11-03.`);
  context.chose('email-message-period');
  context.chose('utc-dates');
  return [moment, moment + (text.includes(' ') ? second : day)];
}

/** Returns a test for messages that bounced within the documented number of hours before now. */
function isBounce(context: Context, isWanted: (moment: number) => boolean): (entry: MessageEntry) => boolean {
  const { now } = context;
  return ({ isBounced, sentAt }) => isBounced && now - sentAt < bounceWindow && isWanted(sentAt);
}
