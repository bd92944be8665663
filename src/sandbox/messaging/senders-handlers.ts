import type { Handlers } from '../rules/handler-types.ts';

/** @internal */
export const senderNameHandlers = {
  listSenderNames: {
    list: { order: 'messaging-list-order' },
    handle: (_request, context) => context.list(context.state.messaging.senders.values()),
  },

  getSenderName({ path }, context) {
    return context.find(context.state.messaging.senders, path.id, 'sender name');
  },
} satisfies Partial<Handlers['messaging']>;
