import type { MessagingHandlers } from '../../handler-types.ts';
import { blacklistHandlers } from './blacklist.ts';
import { refuseByCode } from './campaign-codes.ts';
import { createCampaign } from './campaign-create.ts';
import { campaignHandlers } from './campaigns.ts';
import { createPushCampaign } from './push-campaign-create.ts';
import { pushCampaignHandlers } from './push-campaigns.ts';
import { senderHandlers } from './senders.ts';
import { subscriberHandlers } from './subscribers.ts';
import { websiteHandlers } from './websites.ts';

/** The handlers of this part, by operationId. */
export const messagingHandlers: MessagingHandlers = {
  createCampaign,
  ...campaignHandlers,
  ...senderHandlers,
  ...blacklistHandlers,
  createPushCampaign,
  ...pushCampaignHandlers,
  ...websiteHandlers,
  ...subscriberHandlers,
};

/** The rules that a documented code answers, by operationId; they come between shape and limits. */
export const messagingCodedRules = { createCampaign: refuseByCode };
