import type { Handlers } from '../rules/handler-types.ts';

/** @internal */
export const senderHandlers: Pick<Handlers['messaging'], 'listSenderNames' | 'getSenderName'> = {
  listSenderNames: {
    list: { order: 'messaging-list-order' },
    handle: (_request, context) => context.list(context.state.messaging.senders.values()),
  },

  getSenderName({ path }, context) {
    return context.find(context.state.messaging.senders, path.id, 'sender name');
  },
};
