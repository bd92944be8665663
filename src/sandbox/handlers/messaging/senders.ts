import type { MessagingHandlers } from '../../handler-types.ts';
import { whole } from './paging.ts';

type SenderHandlers = Pick<MessagingHandlers, 'listSenderNames' | 'getSenderName'>;

export const senderHandlers: SenderHandlers = {
  listSenderNames(_request, context) {
    return whole(context.state.messaging.senders.values(), context);
  },

  getSenderName({ path }, context) {
    return context.state.messaging.senders.get(path.id) ?? context.notFound('sender name');
  },
};
