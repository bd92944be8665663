import { type BlacklistState, emptyBlacklist } from './blacklist/state.ts';
import { type CampaignsState, emptyCampaigns } from './campaigns/state.ts';
import { emptyPushCampaigns, type PushCampaignsState } from './push-campaigns/state.ts';
import { emptySenders, type SendersState } from './senders/state.ts';
import { emptyWebsites, type WebsitesState } from './websites/state.ts';

/** Messaging data: plain objects and Maps, so that a snapshot is a simple copy. */
export interface MessagingState
  extends SendersState,
    CampaignsState,
    BlacklistState,
    WebsitesState,
    PushCampaignsState {
  nextId: number;
}

export function emptyMessagingState(): MessagingState {
  return {
    nextId: 1,
    ...emptySenders(),
    ...emptyCampaigns(),
    ...emptyBlacklist(),
    ...emptyWebsites(),
    ...emptyPushCampaigns(),
  };
}
