import type { Subscriber } from '../../../../generated/messaging/models.ts';
import type { MessagingHandlers } from '../../handler-types.ts';
import { dateChoices, pagedList } from '../lists-and-dates.ts';
import { countSubscribers, findWebsite } from './handlers.ts';
import { type SubscriberEntry, subscribersOf } from './state.ts';

type SubscriberHandlers = Pick<
  MessagingHandlers,
  'listWebsiteSubscribers' | 'countWebsiteSubscribers' | 'setSubscriberState'
>;

export const subscriberHandlers: SubscriberHandlers = {
  listWebsiteSubscribers: {
    list: { ...pagedList, entry: dateChoices },
    handle({ path, query }, context) {
      const website = findWebsite(path.id, context);
      const { subscription_date_from: from, subscription_date_to: to } = query;
      if (from !== undefined || to !== undefined) {
        context.chose('push-subscription-dates');
        context.chose('utc-dates');
      }
      const found = context.page(subscribed(subscribersOf(context.state.messaging, website.id), from, to), query);
      if (found.some(({ variables }) => variables.length > 0)) context.chose('push-variable-entry');
      return found;
    },
  },

  countWebsiteSubscribers({ path }, context) {
    return { total: countSubscribers(findWebsite(path.id, context), context) };
  },

  setSubscriberState({ body }, context) {
    const { messaging } = context.state;
    const entry = messaging.subscribers.get(body.id) ?? context.notFound('subscriber');
    messaging.subscribers.put({ ...entry, record: { ...entry.record, status: body.state } });
    return { result: true };
  },
};

/** Returns those who subscribed between two days, both included. */
function* subscribed(
  entries: Iterable<Readonly<SubscriberEntry>>,
  from = '',
  to = '9999-12-31',
): Generator<Subscriber> {
  for (const { record } of entries) {
    const date = record.subscription_date.slice(0, 10);
    if (date >= from && date <= to) yield record;
  }
}
