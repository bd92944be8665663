import type { Handlers } from '../handler-types.ts';
import { joinResources, type Resource } from '../resource.ts';
import { type BlacklistTables, blacklist } from './blacklist.ts';
import { type CampaignsTables, campaigns } from './campaigns/campaigns.ts';
import { type CommonTables, common } from './common.ts';
import { type PushCampaignsTables, pushCampaigns } from './push-campaigns/push-campaigns.ts';
import { type SendersTables, senders } from './senders.ts';
import { type WebsitesTables, websites } from './websites.ts';

/**
 * A messaging resource that answers some operations.
 *
 * @internal
 */
export type MessagingResource<
  Tables extends object,
  Choices extends Resource['choices'],
  Operations extends keyof Handlers['messaging'],
> = Resource<Tables, MessagingState, Choices, Pick<Handlers['messaging'], Operations>>;

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
export const messaging = joinResources([
  common,
  senders,
  blacklist,
  campaigns,
  websites,
  // The seed counts the subscribers of a website.
  pushCampaigns,
]);
