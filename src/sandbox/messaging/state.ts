import { type BlacklistState, emptyBlacklist } from './blacklist/state.ts';
import { type CampaignsState, emptyCampaigns } from './campaigns/state.ts';
import { emptyPushCampaigns, type PushCampaignsState } from './push-campaigns/state.ts';
import { emptySenders, type SendersState } from './senders/state.ts';
import { emptyWebsites, type WebsitesState } from './websites/state.ts';

/** The data of this part: plain objects and Maps, so that a snapshot is a copy. */
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
