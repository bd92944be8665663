import { type Subscriber, SubscriberStatus } from '../../../generated/messaging/models.ts';
import { formatDate, formatDateTime } from '../data/dates.ts';
import { dateChoices } from '../rules/choices.ts';
import type { Context } from '../rules/context.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { countIf } from '../rules/paging.ts';
import { pageSizeOf, routes } from '../rules/routes.ts';
import { countByStatus, subscribersOf, type WebsiteEntry } from './websites.ts';

/** Maximum number of items in a web push response. */
const pushPageSize = pageSizeOf(routes.messaging, 'listPushCampaigns');

/** @internal */
export const websiteHandlers = {
  countWebsites(_request, { state }) {
    return { total: state.messaging.websites.size };
  },

  listWebsites: {
    list: { order: 'messaging-list-order', pageSize: 'page-size', entry: ['push-website-status', ...dateChoices] },
    handle({ query }, context) {
      return context.page(context.state.messaging.websites.values(), query).map(({ id, url, addedAt, active }) => ({
        id,
        url,
        add_date: formatDateTime(addedAt),
        status: active ? 1 : 0,
      }));
    },
  },

  listWebsiteVariables: {
    list: { order: 'messaging-list-order' },
    handle({ path }, context) {
      const variables = context.list(findWebsite(path.id, context).variables);
      // The operation returns one page only.
      if (variables.length > pushPageSize) context.chose('push-variables-cut');
      return variables.slice(0, pushPageSize);
    },
  },

  getWebsite: {
    always: ['push-website-status', ...dateChoices],
    handle({ path }, context) {
      const website = findWebsite(path.id, context);
      const { id, url, active, icon, addedAt } = website;
      const { messaging } = context.state;
      const today = formatDate(context.now);
      return {
        id,
        url,
        status: active ? 'active' : 'inactive',
        icon,
        add_date: formatDateTime(addedAt),
        total_subscribers: countSubscribers(website, context),
        unsubscribed: countByStatus(messaging, id, SubscriberStatus.Unsubscribed),
        subscribers_today: countIf(subscribersOf(messaging, id), ({ record }) => dayOf(record) === today),
        active_subscribers: countByStatus(messaging, id, SubscriberStatus.Active),
      };
    },
  },

  getWebsiteCode: {
    always: ['push-script'],
    handle({ path }, context) {
      const script_url = `https://push.example.com/${findWebsite(path.id, context).id}.js`;
      return { script_url, script_code: `<script charset="UTF-8" src="${script_url}" async></script>` };
    },
  },

  listWebsiteSubscribers: {
    list: { order: 'messaging-list-order', pageSize: 'page-size', entry: dateChoices },
    handle({ path, query }, context) {
      const website = findWebsite(path.id, context);
      const { subscription_date_from: from, subscription_date_to: to } = query;
      if (from !== undefined || to !== undefined) {
        context.chose('push-subscription-dates');
        context.chose('utc-dates');
      }
      const subscribers = subscribersOf(context.state.messaging, website.id).map(({ record }) => record);
      const found = context.page(subscribers.filter(subscribedBetween(from, to)), query);
      if (found.some(({ variables }) => variables.length > 0)) context.chose('push-variable-entry');
      return found;
    },
  },

  countWebsiteSubscribers({ path }, context) {
    return { total: countSubscribers(findWebsite(path.id, context), context) };
  },

  setSubscriberState({ body }, context) {
    const { messaging } = context.state;
    const entry = context.find(messaging.subscribers, body.id, 'subscriber');
    messaging.subscribers.put({ ...entry, record: { ...entry.record, status: body.state } });
    return { result: true };
  },
} satisfies Partial<Handlers['messaging']>;

export function findWebsite(id: number, context: Context): Readonly<WebsiteEntry> {
  return context.find(context.state.messaging.websites, id, 'website');
}

/** Counts all subscribers of a website. */
function countSubscribers({ id }: Readonly<WebsiteEntry>, context: Context): number {
  const { messaging } = context.state;
  const total = messaging.subscribersByWebsite.keys(id).size;
  if (countByStatus(messaging, id, SubscriberStatus.Active) !== total) context.chose('push-subscriber-count');
  return total;
}

/** Returns a test for subscribers who subscribed between two days, including both. */
function subscribedBetween(from = '', to = '9999-12-31'): (subscriber: Subscriber) => boolean {
  return (subscriber) => dayOf(subscriber) >= from && dayOf(subscriber) <= to;
}

function dayOf({ subscription_date: date }: Subscriber): string {
  return date.slice(0, 10);
}
