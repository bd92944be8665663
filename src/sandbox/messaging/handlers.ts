import type { MessagingHandlers } from '../handler-types.ts';
import { blacklistHandlers } from './blacklist/handlers.ts';
import { campaignHandlers } from './campaigns/handlers.ts';
import { pushCampaignHandlers } from './push-campaigns/handlers.ts';
import { senderHandlers } from './senders/handlers.ts';
import { websiteHandlers } from './websites/handlers.ts';
import { subscriberHandlers } from './websites/subscribers.ts';

/** Messaging handlers by operationId. */
export const messagingHandlers: MessagingHandlers = {
  ...campaignHandlers,
  ...senderHandlers,
  ...blacklistHandlers,
  ...pushCampaignHandlers,
  ...websiteHandlers,
  ...subscriberHandlers,
};
