import type { CrmHandlers } from '../../handler-types.ts';
import { listedByAge } from './replies.ts';

export const messengerTypeHandlers: Pick<CrmHandlers, 'listMessengerTypes'> = {
  listMessengerTypes(_request, context) {
    const ids = listedByAge(context, context.state.crm.messengerTypes);
    if (ids.length > 0) context.chose('messenger-type-fields');
    return { data: ids.map((id) => ({ id })) };
  },
};
