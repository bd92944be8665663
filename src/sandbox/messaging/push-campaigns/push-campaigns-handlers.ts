import { PushCampaignStatus } from '../../../../generated/messaging/models.ts';
import { zPushCampaignListItem, zPushCampaignStatistics } from '../../../../generated/messaging/zod.ts';
import { formatDateTime } from '../../data/dates.ts';
import { dateChoices } from '../../rules/choices.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers, RequestOf } from '../../rules/handler-types.ts';
import { shownUnhandled } from '../../rules/unhandled-fields.ts';
import { isGiven, readDate } from '../request-fields.ts';
import { createPushCampaign } from './create.ts';
import { clickedEvery, creationTime, type PushCampaign, undeliveredEvery } from './push-campaigns.ts';

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
    // Times in responses are whole seconds, so compare the bounds with whole seconds.
    const start = Math.floor(campaign.startAt / 1_000) * 1_000;
    return start >= earliest && start <= latest && (!isGiven(websiteId) || campaign.websiteId === websiteId);
  });
}

function readBound(name: string, text: string | undefined, context: Context): number | undefined {
  if (text === undefined) return undefined;
  context.chose('push-period');
  return readDate(name, text, context);
}

/** Returns the time at which sending ends. */
function endOf({ startAt, stretchTime }: Readonly<PushCampaign>): number {
  return startAt + stretchTime * 1_000;
}

/** Returns the current status of a campaign (Document 2 §3). */
function statusOf(campaign: Readonly<PushCampaign>, now: number): PushCampaignStatus {
  const { createdAt, startAt, audience, fixedStatus } = campaign;
  if (fixedStatus !== undefined) return fixedStatus;
  if (now < createdAt + creationTime) return PushCampaignStatus.CreationInProgress;
  if (audience === 0) return PushCampaignStatus.NoActiveRecipients;
  if (now < startAt) return PushCampaignStatus.New;
  return now < endOf(campaign) ? PushCampaignStatus.InProgress : PushCampaignStatus.Sent;
}

/** Returns how many notifications have been sent, delivered and clicked so far. */
function numbersOf(
  campaign: Readonly<PushCampaign>,
  now: number,
): { sent: number; delivered: number; clicked: number } {
  const { startAt, stretchTime, audience } = campaign;
  const passed = stretchTime === 0 ? 1 : (now - startAt) / (stretchTime * 1_000);
  const sent = now < startAt ? 0 : Math.floor(audience * Math.min(1, passed));
  const delivered = sent - Math.floor(sent / undeliveredEvery);
  return { sent, delivered, clicked: Math.floor(delivered / clickedEvery) };
}
