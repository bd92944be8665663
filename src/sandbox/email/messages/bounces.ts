import { emailRules } from '../../../../generated/email/reference.ts';
import type { Context } from '../../context.ts';
import type { EmailHandlers } from '../../handler-types.ts';
import { newestFirst, onDay, pagedList } from '../lists-and-dates.ts';
import { listItem, recordChoices } from './message-record.ts';
import type { MessageEntry } from './state.ts';

/** How long bounces are listed, in milliseconds. */
const bounceWindow = emailRules['email-bounce-window'].values.hours * 3_600_000;

export const bounceHandlers: Pick<EmailHandlers, 'listEmailBounces' | 'countEmailBounces'> = {
  listEmailBounces: {
    always: ['email-bounce-time'],
    list: { ...pagedList, entry: recordChoices },
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
      const passes = isBounce(context, onDay(undefined));
      let total = 0;
      for (const entry of context.state.email.messages.values()) if (passes(entry)) total += 1;
      if (total > 0) context.chose('email-delivery');
      return { total };
    },
  },
};

/** Returns a test for messages that bounced within the window that ends now. */
function isBounce(context: Context, isWanted: (moment: number) => boolean): (entry: MessageEntry) => boolean {
  const { now } = context;
  return ({ isBounced, sentAt }) => isBounced && now - sentAt < bounceWindow && isWanted(sentAt);
}
