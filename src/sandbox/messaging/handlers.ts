import { blacklistHandlers } from './blacklist-handlers.ts';
import { campaignHandlers } from './campaigns/campaigns-handlers.ts';
import { pushCampaignHandlers } from './push-campaigns/push-campaigns-handlers.ts';
import type { messaging } from './resources.ts';
import { senderNameHandlers } from './senders-handlers.ts';
import { websiteHandlers } from './websites-handlers.ts';

/**
 * The handlers of the messaging resources, by resource name in `resources.ts`.
 *
 * @internal
 */
export const messagingHandlers = {
  senders: senderNameHandlers,
  blacklist: blacklistHandlers,
  campaigns: campaignHandlers,
  websites: websiteHandlers,
  pushCampaigns: pushCampaignHandlers,
} satisfies { [Name in keyof typeof messaging.resources]?: object };
