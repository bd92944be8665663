import type { Context } from '../rules/context.ts';
import type { Handlers } from '../rules/handler-types.ts';

/** @internal */
export const teamHandlers = {
  listUsers: {
    list: { order: 'listed-by-age' },
    handle(_request, context) {
      const members = [...context.state.crm.users.values()].filter(({ isActive, isInvited }) => isActive && isInvited);
      return { data: context.list(members).map(({ record }) => record) };
    },
  },
} satisfies Partial<Handlers['crm']>;

/** Rejects a responsible team member who is unknown, inactive or not invited. */
export function checkResponsible(context: Context, responsibleId: number): void {
  const { users } = context.state.crm;
  if (users.size === 0) {
    context.chose('no-team');
    return;
  }
  const user = users.get(responsibleId);
  if (!user?.isActive || !user.isInvited) {
    const message = `responsibleId must be the ID of an active, invited team member, not ${responsibleId}.`;
    context.reject('users-are-assignable', { message });
  }
}
