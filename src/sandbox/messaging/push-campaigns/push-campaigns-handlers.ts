import { zPushCampaignListItem, zPushCampaignStatistics } from '../../../../generated/messaging/zod.ts';
import { formatDateTime } from '../../data/dates.ts';
import { dateChoices } from '../../rules/choices.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers, RequestOf } from '../../rules/handler-types.ts';
import { shownUnhandled } from '../../rules/unhandled-fields.ts';
import { readDate } from '../request-dates.ts';
import { isGiven } from '../request-numbers.ts';
import { createPushCampaign } from './create.ts';
import { endOf, numbersOf, statusOf } from './progress.ts';
import type { PushCampaign } from './push-campaigns.ts';

type ListQuery = RequestOf<Handlers['messaging']['listPushCampaigns']>['query'];

/** @internal */
export const pushCampaignHandlers = {
  createPushCampaign,

  listPushCampaigns: {
    list: {
      order: 'messaging-list-order',
      pageSize: 'page-size',
      entry: ['push-period', 'push-progress', ...dateChoices],
    },
    handle({ query }, context) {
      return context.page(selected(query, context), query).map((campaign) => ({
        ...shownUnhandled(campaign, zPushCampaignListItem),
        id: campaign.id,
        title: campaign.title,
        body: campaign.body,
        website_id: campaign.websiteId,
        from: formatDateTime(campaign.startAt),
        to: formatDateTime(endOf(campaign)),
        status: statusOf(campaign, context.now),
      }));
    },
  },

  getPushCampaign: {
    always: ['push-progress'],
    handle({ path }, context) {
      const { messaging } = context.state;
      const campaign = context.find(messaging.pushCampaigns, path.id, 'web push campaign');
      const { sent, delivered, clicked } = numbersOf(campaign, context.now);
      if (sent > 0) context.chose('push-statistics');
      return {
        ...shownUnhandled(campaign, zPushCampaignStatistics),
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
  },
} satisfies Partial<Handlers['messaging']>;

function selected({ from, to, website_id: websiteId }: ListQuery, context: Context): Iterable<Readonly<PushCampaign>> {
  const { websites, pushCampaigns } = context.state.messaging;
  const earliest = readBound('from', from, context) ?? Number.NEGATIVE_INFINITY;
  const latest = readBound('to', to, context) ?? Number.POSITIVE_INFINITY;
  if (websiteId !== undefined && !websites.has(websiteId)) context.chose('push-website-filter');
  return [...pushCampaigns.values()].filter((campaign) => {
    // Responses contain whole seconds, so compare the bounds with whole seconds.
    const start = Math.floor(campaign.startAt / 1_000) * 1_000;
    return start >= earliest && start <= latest && (!isGiven(websiteId) || campaign.websiteId === websiteId);
  });
}

function readBound(name: string, text: string | undefined, context: Context): number | undefined {
  if (text === undefined) return undefined;
  context.chose('push-period');
  return readDate(name, text, context);
}
