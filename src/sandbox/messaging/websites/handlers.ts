import { SubscriberStatus } from '../../../../generated/messaging/models.ts';
import type { Context } from '../../context.ts';
import { formatDate, formatDateTime } from '../../dates.ts';
import type { MessagingHandlers } from '../../handler-types.ts';
import { messagingRoutes, pageSizeOf } from '../../routes.ts';
import { dateChoices, pagedList, wholeList } from '../lists-and-dates.ts';
import { countAll, countByDay, countByStatus, type WebsiteEntry } from './state.ts';

/** Maximum number of entries in a web push reply. */
const pushPageSize = pageSizeOf(messagingRoutes, 'listPushCampaigns');

type WebsiteHandlers = Pick<
  MessagingHandlers,
  'countWebsites' | 'listWebsites' | 'listWebsiteVariables' | 'getWebsite' | 'getWebsiteCode'
>;

export const websiteHandlers: WebsiteHandlers = {
  countWebsites(_request, { state }) {
    return { total: state.messaging.websites.size };
  },

  listWebsites: {
    list: { ...pagedList, entry: ['push-website-status', ...dateChoices] },
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
    list: wholeList,
    handle({ path }, context) {
      const variables = context.list(findWebsite(path.id, context).variables);
      // This list has no pages.
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
      return {
        id,
        url,
        status: active ? 'active' : 'inactive',
        icon,
        add_date: formatDateTime(addedAt),
        total_subscribers: countSubscribers(website, context),
        unsubscribed: countByStatus(messaging, id, SubscriberStatus.Unsubscribed),
        subscribers_today: countByDay(messaging, id, formatDate(context.now)),
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
};

export function findWebsite(id: number, context: Context): Readonly<WebsiteEntry> {
  return context.state.messaging.websites.get(id) ?? context.notFound('website');
}

/** Counts all subscribers of a website. */
export function countSubscribers({ id }: Readonly<WebsiteEntry>, context: Context): number {
  const { messaging } = context.state;
  const total = countAll(messaging, id);
  if (countByStatus(messaging, id, SubscriberStatus.Active) !== total) context.chose('push-subscriber-count');
  return total;
}
