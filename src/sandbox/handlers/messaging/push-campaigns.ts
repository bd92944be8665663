import { formatDateTime, parseDateTime } from '../../dates.ts';
import type { Context } from '../../handler.ts';
import type { MessagingHandlers } from '../../handler-types.ts';
import type { PushCampaign } from '../../state/messaging.ts';
import { isGiven } from './campaign-codes.ts';
import { pushPageSize } from './facts.ts';
import { markDates, page } from './paging.ts';
import { endOf, numbersOf, statusOf } from './push-progress.ts';

type PushCampaignHandlers = Pick<MessagingHandlers, 'listPushCampaigns' | 'getPushCampaign'>;
type ListQuery = Parameters<MessagingHandlers['listPushCampaigns']>[0]['query'];

export const pushCampaignHandlers: PushCampaignHandlers = {
  listPushCampaigns({ query }, context) {
    const found = page(selected(query, context), query, context, pushPageSize);
    if (found.length > 0) {
      context.chose('push-period');
      context.chose('push-progress');
      markDates(context);
    }
    return found.map((campaign) => ({
      id: campaign.id,
      title: campaign.title,
      body: campaign.body,
      website_id: campaign.websiteId,
      from: formatDateTime(campaign.startAt),
      to: formatDateTime(endOf(campaign)),
      status: statusOf(campaign, context.now),
    }));
  },

  getPushCampaign({ path }, context) {
    const { messaging } = context.state;
    const campaign = messaging.pushCampaigns.get(path.id) ?? context.notFound('web push campaign');
    const { sent, delivered, clicked } = numbersOf(campaign, context.now);
    context.chose('push-progress');
    if (sent > 0) context.chose('push-statistics');
    return {
      id: campaign.id,
      message: { title: campaign.title, text: campaign.body, link: campaign.link },
      website: messaging.websites.get(campaign.websiteId)?.url ?? '',
      website_id: campaign.websiteId,
      status: statusOf(campaign, context.now),
      send: String(sent),
      delivered,
      redirect: clicked,
    };
  },
};

function selected({ from, to, website_id: websiteId }: ListQuery, context: Context): Iterable<PushCampaign> {
  const { websites, pushCampaigns } = context.state.messaging;
  const earliest = readBound(from, context) ?? Number.NEGATIVE_INFINITY;
  const latest = readBound(to, context) ?? Number.POSITIVE_INFINITY;
  if (websiteId !== undefined && !websites.has(websiteId)) context.chose('push-website-filter');
  return [...pushCampaigns.values()].filter((campaign) => {
    // The reply shows whole seconds, so the bounds are held against whole seconds.
    const start = Math.floor(campaign.startAt / 1_000) * 1_000;
    return start >= earliest && start <= latest && (!isGiven(websiteId) || campaign.websiteId === websiteId);
  });
}

function readBound(text: string | undefined, context: Context): number | undefined {
  if (text === undefined) return undefined;
  const moment = parseDateTime(text);
  if (moment === undefined)
    return context.refuseByChoice('messaging-impossible-date', {
      message: `${text} is not a day and time of the calendar.`,
    });
  context.chose('push-period');
  context.chose('utc-dates');
  return moment;
}
