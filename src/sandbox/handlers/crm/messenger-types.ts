import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';

export const messengerTypeHandlers: Pick<CrmHandlers, 'listMessengerTypes'> = {
  listMessengerTypes(_request, context) {
    context.chose('messenger-type-fields');
    return { data: [...context.state.crm.messengerTypes].map((id) => ({ id })) };
  },
};
