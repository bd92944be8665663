import type { Handlers } from '../rules/handler-types.ts';
import { wholeList } from './reply-choices.ts';

/** @internal */
export const senderHandlers: Pick<Handlers['messaging'], 'listSenderNames' | 'getSenderName'> = {
  listSenderNames: {
    list: wholeList,
    handle: (_request, context) => context.list(context.state.messaging.senders.values()),
  },

  getSenderName({ path }, context) {
    return context.state.messaging.senders.get(path.id) ?? context.notFound('sender name');
  },
};
