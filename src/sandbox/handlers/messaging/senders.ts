import type { MessagingHandlers } from '../../../../generated/messaging/handlers.ts';

type SenderHandlers = Pick<MessagingHandlers, 'listSenderNames' | 'getSenderName'>;

export const senderHandlers: SenderHandlers = {
  listSenderNames(_request, context) {
    context.chose('messaging-list-order');
    return [...context.state.messaging.senders.values()];
  },

  getSenderName({ path }, context) {
    return context.state.messaging.senders.get(path.id) ?? context.notFound('sender name');
  },
};
