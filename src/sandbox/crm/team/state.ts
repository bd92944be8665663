import type { User } from '../../../../generated/crm/models.ts';

export interface TeamState {
  users: Map<number, StoredUser>;
}

export interface StoredUser {
  record: User;
  isActive: boolean;
  isInvited: boolean;
}

export function emptyTeam(): TeamState {
  return { users: new Map() };
}

/** Adds Olena Marsh (77), Tom Berg (78), and two members that lists omit: one has left, one has not been invited. */
export function seedTeam({ users }: TeamState): void {
  users.set(77, { record: { id: 77 }, isActive: true, isInvited: true });
  users.set(78, { record: { id: 78 }, isActive: true, isInvited: true });
  users.set(79, { record: { id: 79 }, isActive: false, isInvited: true });
  users.set(80, { record: { id: 80 }, isActive: true, isInvited: false });
}
