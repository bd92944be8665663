import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';

export const userHandlers: Pick<CrmHandlers, 'listUsers'> = {
  listUsers(_request, { state }) {
    const members = [...state.crm.users.values()].filter(({ isActive, isInvited }) => isActive && isInvited);
    return { data: members.map(({ record }) => record) };
  },
};
