import * as z from 'zod';
import type { User } from '../../../generated/crm/models.ts';
import { zUser } from '../../../generated/crm/zod.ts';
import type { Context } from '../context.ts';
import { Table } from '../data/table.ts';
import type { CrmResource } from './resources.ts';

export interface TeamTables {
  users: Table<number, StoredUser>;
}

export interface StoredUser {
  record: User;
  isActive: boolean;
  isInvited: boolean;
}

const zStoredUser = z.object({ record: zUser, isActive: z.boolean(), isInvited: z.boolean() });

const choices = {
  'no-team': 'A sandbox without any team members accepts any `responsibleId`.',
} as const;

/** @internal */
export const team: CrmResource<TeamTables, typeof choices, 'listUsers'> = {
  tables: (ledger) => ({
    users: new Table(ledger, 'crm.users', { key: ({ record }) => record.id, schema: zStoredUser }),
  }),

  /** Adds Olena Marsh (77), Tom Berg (78), and two members that lists omit: one has left, one has not been invited. */
  seed({ users }) {
    users.put({ record: { id: 77 }, isActive: true, isInvited: true });
    users.put({ record: { id: 78 }, isActive: true, isInvited: true });
    users.put({ record: { id: 79 }, isActive: false, isInvited: true });
    users.put({ record: { id: 80 }, isActive: true, isInvited: false });
  },

  choices,

  handlers: {
    listUsers: {
      list: { order: 'listed-by-age' },
      handle(_request, context) {
        const members = [...context.state.crm.users.values()].filter(
          ({ isActive, isInvited }) => isActive && isInvited,
        );
        return { data: context.list(members).map(({ record }) => record) };
      },
    },
  },
};

/** Refuses a responsible team member who is unknown, inactive or not invited. */
export function checkResponsible(context: Context, responsibleId: number): void {
  const { users } = context.state.crm;
  if (users.size === 0) {
    context.chose('no-team');
    return;
  }
  const user = users.get(responsibleId);
  if (!user?.isActive || !user.isInvited) {
    const message = `responsibleId must be the ID of an active, invited team member, not ${responsibleId}.`;
    context.refuse('users-are-assignable', { message });
  }
}
