import { zBlacklistAdd, zBlacklistEntry } from '../../../generated/messaging/zod.ts';
import { formatDateTime } from '../data/dates.ts';
import { newId } from '../data/settings.ts';
import { dateChoices } from '../rules/choices.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { declaredFields } from '../rules/unhandled-fields.ts';
import { readPhones } from './request-fields.ts';

/** @internal */
export const blacklistHandlers = {
  listBlacklistEntries: {
    list: { order: 'messaging-list-order', pageSize: 'page-size', entry: ['blacklist-user', ...dateChoices] },
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
        ...declaredFields(untreated, zBlacklistAdd, zBlacklistEntry),
        id: newId(messaging),
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
} satisfies Partial<Handlers['messaging']>;
