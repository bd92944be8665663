import type { User } from '../../../../generated/crm/models.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

export interface TeamState {
  users: Table<number, StoredUser>;
}

export interface StoredUser {
  record: User;
  isActive: boolean;
  isInvited: boolean;
}

export function emptyTeam(ledger: Ledger): TeamState {
  return { users: new Table(ledger, 'crm.users', ({ record }) => record.id) };
}

/** Adds Olena Marsh (77), Tom Berg (78), and two members that lists omit: one has left, one has not been invited. */
export function seedTeam({ users }: TeamState): void {
  users.put({ record: { id: 77 }, isActive: true, isInvited: true });
  users.put({ record: { id: 78 }, isActive: true, isInvited: true });
  users.put({ record: { id: 79 }, isActive: false, isInvited: true });
  users.put({ record: { id: 80 }, isActive: true, isInvited: false });
}
