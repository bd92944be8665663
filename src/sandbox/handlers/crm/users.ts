import type { CrmHandlers } from '../../handler-types.ts';
import { listedByAge } from './replies.ts';

export const userHandlers: Pick<CrmHandlers, 'listUsers'> = {
  listUsers(_request, context) {
    const members = [...context.state.crm.users.values()].filter(({ isActive, isInvited }) => isActive && isInvited);
    return { data: listedByAge(context, members).map(({ record }) => record) };
  },
};
