import { joinResources } from '../data/resource.ts';
import { type BlacklistTables, blacklist } from './blacklist.ts';
import { type CampaignsTables, campaigns } from './campaigns/campaigns.ts';
import { type CommonTables, common } from './common.ts';
import { type PushCampaignsTables, pushCampaigns } from './push-campaigns/push-campaigns.ts';
import { type SendersTables, senders } from './senders.ts';
import { type WebsitesTables, websites } from './websites.ts';

/** Tables of messaging data. */
export interface MessagingState
  extends CommonTables,
    SendersTables,
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
  common,
  senders,
  blacklist,
  campaigns,
  websites,
  // The seed counts the subscribers of a website.
  pushCampaigns,
});
