import { joinResources } from '../data/resource.ts';
import { type BlacklistTables, blacklist } from './blacklist.ts';
import { type CampaignsTables, campaigns } from './campaigns/campaigns.ts';
import { type MessagingCommonTables, messagingCommon } from './common.ts';
import { type PushCampaignsTables, pushCampaigns } from './push-campaigns/push-campaigns.ts';
import { type SenderNamesTables, senderNames } from './senders.ts';
import { type WebsitesTables, websites } from './websites.ts';

/** Tables of messaging data. */
export interface MessagingState
  extends MessagingCommonTables,
    SenderNamesTables,
    BlacklistTables,
    CampaignsTables,
    WebsitesTables,
    PushCampaignsTables {}

/**
 * The messaging resources.
 *
 * @internal
 */
export const messaging = joinResources({
  common: messagingCommon,
  senders: senderNames,
  blacklist,
  campaigns,
  websites,
  // The seed of web push campaigns counts the subscribers of a website, so websites come first.
  pushCampaigns,
});
