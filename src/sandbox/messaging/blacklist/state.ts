import type { BlacklistEntry } from '../../../../generated/messaging/models.ts';
import { formatDateTime } from '../../dates.ts';
import type { SeedSource } from '../../seed-source.ts';

export interface BlacklistState {
  /** `user_id` of new blacklist entries. */
  userId: number;
  /** Entries by phone number. */
  blacklist: Map<number, BlacklistEntry>;
}

export function emptyBlacklist(): BlacklistState {
  return { userId: 77, blacklist: new Map() };
}

const ben = 15550100124;

/** Adds Ben's phone number, and one other number for every ten of the seed's size. */
export function seedBlacklist(state: BlacklistState & { nextId: number }, { size }: SeedSource, begins: number): void {
  const entry = { user_id: state.userId, description: 'Asked for no more messages', add_date: formatDateTime(begins) };
  state.blacklist.set(ben, { ...entry, id: 301, phone: ben });
  for (let place = 0; place < Math.floor(size / 10); place += 1) {
    const phone = 15551000000 + place;
    state.blacklist.set(phone, { ...entry, id: state.nextId++, phone });
  }
}
