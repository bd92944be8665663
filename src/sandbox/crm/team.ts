import * as z from 'zod';
import type { User } from '../../../generated/crm/models.ts';
import { zUser } from '../../../generated/crm/zod.ts';
import type { Resource } from '../data/resource.ts';
import { Table } from '../data/table.ts';

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
export const team: Resource<TeamTables, typeof choices> = {
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
};
