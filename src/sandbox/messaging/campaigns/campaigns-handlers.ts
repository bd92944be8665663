import type { CampaignListItem } from '../../../../generated/messaging/models.ts';
import { zCampaignListItem, zCampaignStatistics } from '../../../../generated/messaging/zod.ts';
import { formatDateTime } from '../../data/dates.ts';
import { dateChoices } from '../../rules/choices.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { shownUnhandled } from '../../rules/unhandled-fields.ts';
import { type Campaign, price } from './campaigns.ts';
import { createCampaign } from './create.ts';
import { deliveries, isDelivered, resendStatus, statistic } from './delivery.ts';

/** @internal */
export const campaignHandlers = {
  createCampaign,

  listCampaigns: {
    list: {
      order: 'messaging-list-order',
      pageSize: 'page-size',
      entry: ['messaging-campaign-status', ...dateChoices],
    },
    handle({ query }, context) {
      return context.page(context.state.messaging.campaigns.values(), query).map((campaign) => ({
        ...shownUnhandled(campaign, zCampaignListItem),
        ...shared(campaign, context),
        address_book: campaign.addressBook,
      }));
    },
  },

  getCampaign: {
    always: ['messaging-campaign-status', ...dateChoices],
    handle({ path }, context) {
      const { messaging } = context.state;
      const campaign = context.find(messaging.campaigns, path.id, 'campaign');
      const counted = statistic(campaign, context.now);
      if (counted.sent > 0) {
        context.chose('messaging-statistics');
        markDeliveries(campaign, context);
      }
      if (campaign.resend) context.chose('messaging-resend-sms-status');
      return {
        ...shownUnhandled(campaign, zCampaignStatistics),
        ...shared(campaign, context),
        address_book_ids: campaign.addressBook === null ? null : [campaign.addressBook],
        stretch_time: campaign.stretchTime,
        resend_sms: campaign.resend !== null,
        resend_sms_status: resendStatus(campaign, messaging, context.now),
        statistic: counted,
      };
    },
  },

  listCampaignRecipients: {
    list: { order: 'messaging-list-order', entry: ['messaging-price', ...dateChoices] },
    handle({ path }, context) {
      const campaign = context.find(context.state.messaging.campaigns, path.id, 'campaign');
      const sent = context.list(deliveries(campaign, context.now));
      if (sent.length < campaign.phones.length) context.chose('messaging-recipient-listed');
      if (sent.length > 0) markDeliveries(campaign, context);
      const recipients = sent.map(({ phone, status, sentAt, changedAt }) => ({
        phone,
        address_book_id: campaign.addressBook,
        status,
        send_date: formatDateTime(sentAt),
        price: isDelivered(status) ? price : 0,
        currency: context.account.currency,
        last_update: formatDateTime(changedAt),
      }));
      return { task_id: campaign.id, recipients };
    },
  },
} satisfies Partial<Handlers['messaging']>;

/** Records the choices that determine the state of the messages. */
function markDeliveries({ blocked, stretchTime, phones }: Readonly<Campaign>, context: Context): void {
  context.chose('messaging-delivery');
  if (blocked.length > 0) context.chose('messaging-blacklisted-recipient');
  if (stretchTime > 0 && phones.length > 1) context.chose('messaging-gradual-distances');
}

/** Returns the fields that are both in the list and in the statistics. */
function shared(campaign: Readonly<Campaign>, context: Context): Omit<CampaignListItem, 'address_book'> {
  return {
    id: campaign.id,
    name: campaign.name,
    message: campaign.message,
    button_text: campaign.button?.text ?? null,
    button_link: campaign.button?.link ?? null,
    image_link: campaign.imageLink,
    sender_name: context.state.messaging.senders.get(campaign.senderId)?.name ?? '',
    sender_id: campaign.senderId,
    message_live_time: campaign.liveTime,
    send_date: formatDateTime(campaign.sendAt),
    status: null,
    created: formatDateTime(campaign.createdAt),
  };
}
