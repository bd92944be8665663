import type { BlacklistEntry } from '../../../generated/messaging/models.ts';
import { zBlacklistEntry } from '../../../generated/messaging/zod.ts';
import { formatDateTime } from '../data/dates.ts';
import type { Resource } from '../data/resource.ts';
import { newId } from '../data/settings.ts';
import { Table } from '../data/table.ts';
import { type MessagingCommonTables, startOfStory } from './common.ts';

export interface BlacklistTables {
  /** Blacklist entries, by phone number. */
  blacklist: Table<number, BlacklistEntry>;
}

const choices = {
  'blacklist-existing-entry': 'Adding a phone number that is already on the blacklist does not change its entry.',
  'blacklist-user': 'All new blacklist entries have the same `user_id`, the ID of one team member.',
} as const;

const ben = 15550100124;

/** @internal */
export const blacklist: Resource<BlacklistTables, typeof choices, BlacklistTables & MessagingCommonTables> = {
  tables: (ledger) => ({
    blacklist: new Table(ledger, 'messaging.blacklist', {
      key: ({ phone }) => phone,
      schema: zBlacklistEntry,
      ids: ({ id }) => [id],
    }),
  }),

  /** Adds Ben's phone number, and `size / 10` other numbers. */
  seed(state, source) {
    const entry = {
      user_id: state.settings.get('userId'),
      description: 'Asked for no more messages',
      add_date: formatDateTime(startOfStory(source)),
    };
    state.blacklist.put({ ...entry, id: 301, phone: ben });
    for (let place = 0; place < Math.floor(source.size / 10); place += 1) {
      const phone = 15551000000 + place;
      state.blacklist.put({ ...entry, id: newId(state), phone });
    }
  },

  choices,
};
