import type { BlacklistEntry } from '../../../generated/messaging/models.ts';
import { zBlacklistAdd, zBlacklistEntry } from '../../../generated/messaging/zod.ts';
import { takeId } from '../data/settings.ts';
import { Table } from '../data/table.ts';
import { formatDateTime } from '../dates.ts';
import { furtherFields } from '../further-fields.ts';
import { dateChoices, pagedList, startOfStory } from './common.ts';
import { readPhones } from './request-numbers.ts';
import type { MessagingResource } from './resources.ts';

export interface BlacklistTables {
  /** Entries by phone number. */
  blacklist: Table<number, BlacklistEntry>;
}

const choices = {
  'blacklist-existing-entry': 'Adding a phone number that is already on the blacklist does not change its entry.',
  'blacklist-user': 'All new blacklist entries have the `user_id` of the same team member.',
} as const;

type Operations = 'listBlacklistEntries' | 'addBlacklistEntries' | 'removeBlacklistEntries';

const ben = 15550100124;

/** @internal */
export const blacklist: MessagingResource<BlacklistTables, typeof choices, Operations> = {
  tables: (ledger) => ({
    blacklist: new Table(ledger, 'messaging.blacklist', {
      key: ({ phone }) => phone,
      schema: zBlacklistEntry,
      ids: ({ id }) => [id],
    }),
  }),

  /** Adds Ben's phone number, and one other number for every ten of the seed's size. */
  *seed(state, source) {
    const entry = {
      user_id: state.settings.get('userId'),
      description: 'Asked for no more messages',
      add_date: formatDateTime(startOfStory(source)),
    };
    state.blacklist.put({ ...entry, id: 301, phone: ben });
    for (let place = 0; place < Math.floor(source.size / 10); place += 1) {
      const phone = 15551000000 + place;
      state.blacklist.put({ ...entry, id: takeId(state.settings), phone });
      yield;
    }
  },

  choices,

  handlers: {
    listBlacklistEntries: {
      list: { ...pagedList, entry: ['blacklist-user', ...dateChoices] },
      handle({ query }, context) {
        const { blacklist } = context.state.messaging;
        return { data: { list: context.page(blacklist.values(), query), total: blacklist.size } };
      },
    },

    addBlacklistEntries({ body }, context) {
      const { messaging } = context.state;
      const { phones: numbers, description = '', ...untreated } = body;
      const phones = readPhones(numbers, context);
      let added = 0;
      for (const phone of phones) {
        if (messaging.blacklist.has(phone)) continue;
        messaging.blacklist.put({
          ...furtherFields(untreated, zBlacklistAdd, zBlacklistEntry).further,
          id: takeId(messaging.settings),
          user_id: messaging.settings.get('userId'),
          phone,
          description,
          add_date: formatDateTime(context.now),
        });
        added += 1;
      }
      const exists = phones.size - added;
      if (added > 0) context.chose('blacklist-user');
      if (exists > 0) context.chose('blacklist-existing-entry');
      return { result: true, counters: { added, exists } };
    },

    removeBlacklistEntries({ body }, context) {
      const { blacklist } = context.state.messaging;
      const phones = readPhones(body.phones, context);
      let deleted = 0;
      for (const phone of phones) if (blacklist.delete(phone)) deleted += 1;
      return { result: true, deleted };
    },
  },
};
