import type { BlacklistEntry } from '../../../../generated/messaging/models.ts';
import type { Ledger } from '../../data/ledger.ts';
import { type Settings, takeId } from '../../data/settings.ts';
import { Table } from '../../data/table.ts';
import { formatDateTime } from '../../dates.ts';
import type { SeedSource } from '../../seed-source.ts';

export interface BlacklistState {
  /** Entries by phone number. */
  blacklist: Table<number, BlacklistEntry>;
}

export interface BlacklistSettings {
  nextId: number;
  /** `user_id` of new blacklist entries. */
  userId: number;
}

export function emptyBlacklist(ledger: Ledger): BlacklistState {
  return { blacklist: new Table(ledger, 'messaging.blacklist', ({ phone }) => phone) };
}

const ben = 15550100124;

/** Adds Ben's phone number, and one other number for every ten of the seed's size. */
export function seedBlacklist(
  { blacklist, settings }: BlacklistState & { settings: Settings<BlacklistSettings> },
  { size }: SeedSource,
  begins: number,
): void {
  const entry = {
    user_id: settings.get('userId'),
    description: 'Asked for no more messages',
    add_date: formatDateTime(begins),
  };
  blacklist.put({ ...entry, id: 301, phone: ben });
  for (let place = 0; place < Math.floor(size / 10); place += 1) {
    const phone = 15551000000 + place;
    blacklist.put({ ...entry, id: takeId(settings), phone });
  }
}
