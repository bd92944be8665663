import { SubscriberStatus } from '../../../../generated/messaging/models.ts';
import { formatDate, formatDateTime } from '../../dates.ts';
import type { Context } from '../../handler.ts';
import type { MessagingHandlers } from '../../handler-types.ts';
import type { WebsiteEntry } from '../../state/messaging.ts';
import { pushPageSize } from './facts.ts';
import { markDates, page, whole } from './paging.ts';

type WebsiteHandlers = Pick<
  MessagingHandlers,
  'countWebsites' | 'listWebsites' | 'listWebsiteVariables' | 'getWebsite' | 'getWebsiteCode'
>;

export const websiteHandlers: WebsiteHandlers = {
  countWebsites(_request, { state }) {
    return { total: state.messaging.websites.size };
  },

  listWebsites({ query }, context) {
    const found = page(context.state.messaging.websites.values(), query, context, pushPageSize);
    if (found.length > 0) markWebsite(context);
    return found.map(({ id, url, addedAt, active }) => ({
      id,
      url,
      add_date: formatDateTime(addedAt),
      status: active ? 1 : 0,
    }));
  },

  listWebsiteVariables({ path }, context) {
    const variables = whole(findWebsite(path.id, context).variables, context);
    // This list has no paging, and a reply of web push holds no more.
    if (variables.length > pushPageSize) context.chose('push-variables-cut');
    return variables.slice(0, pushPageSize);
  },

  getWebsite({ path }, context) {
    const website = findWebsite(path.id, context);
    const { id, url, active, icon, addedAt, byStatus, byDay } = website;
    markWebsite(context);
    return {
      id,
      url,
      status: active ? 'active' : 'inactive',
      icon,
      add_date: formatDateTime(addedAt),
      total_subscribers: countSubscribers(website, context),
      unsubscribed: byStatus.get(SubscriberStatus.Unsubscribed) ?? 0,
      subscribers_today: byDay.get(formatDate(context.now)) ?? 0,
      active_subscribers: byStatus.get(SubscriberStatus.Active) ?? 0,
    };
  },

  getWebsiteCode({ path }, context) {
    const script_url = `https://push.example.com/${findWebsite(path.id, context).id}.js`;
    context.chose('push-script');
    return { script_url, script_code: `<script charset="UTF-8" src="${script_url}" async></script>` };
  },
};

export function findWebsite(id: number, context: Context): WebsiteEntry {
  return context.state.messaging.websites.get(id) ?? context.notFound('website');
}

/** All subscribers of a website. */
export function countSubscribers({ subscribers, byStatus }: WebsiteEntry, context: Context): number {
  if (byStatus.get(SubscriberStatus.Active) !== subscribers.size && subscribers.size > 0)
    context.chose('push-subscriber-count');
  return subscribers.size;
}

function markWebsite(context: Context): void {
  context.chose('push-website-status');
  markDates(context);
}
