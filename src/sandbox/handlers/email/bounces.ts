import type { Context } from '../../handler.ts';
import type { EmailHandlers } from '../../handler-types.ts';
import type { MessageEntry } from '../../state/email.ts';
import { bounceWindow } from './facts.ts';
import { newestFirst, onDay, page } from './paging.ts';
import { listItem } from './records.ts';

type BounceHandlers = Pick<EmailHandlers, 'listEmailBounces' | 'countEmailBounces'>;

export const bounceHandlers: BounceHandlers = {
  listEmailBounces({ query }, context) {
    const passes = isBounce(context, onDay(query.date));
    if (query.date) context.chose('utc-dates');
    const found = page(newestFirst(context.state.email.messages, passes), query, context);
    return found.map((entry) => listItem(entry, context));
  },

  countEmailBounces(_request, context) {
    const passes = isBounce(context, onDay(undefined));
    let total = 0;
    for (const entry of context.state.email.messages.values()) if (passes(entry)) total += 1;
    if (total > 0) context.chose('email-delivery');
    return { total };
  },
};

/** A test for the messages that bounced in the window which ends now. */
function isBounce(context: Context, isWanted: (moment: number) => boolean): (entry: MessageEntry) => boolean {
  const { now } = context;
  context.chose('email-bounce-time');
  return ({ isBounced, sentAt }) => isBounced && now - sentAt < bounceWindow && isWanted(sentAt);
}
