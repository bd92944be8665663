import type { MessagingHandlers } from '../../handler-types.ts';
import { wholeList } from '../lists-and-dates.ts';

export const senderHandlers: Pick<MessagingHandlers, 'listSenderNames' | 'getSenderName'> = {
  listSenderNames: {
    list: wholeList,
    handle: (_request, context) => context.list(context.state.messaging.senders.values()),
  },

  getSenderName({ path }, context) {
    return context.state.messaging.senders.get(path.id) ?? context.notFound('sender name');
  },
};
