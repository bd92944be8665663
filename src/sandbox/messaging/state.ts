import type { Ledger } from '../data/ledger.ts';
import { Settings } from '../data/settings.ts';
import { type BlacklistSettings, type BlacklistState, emptyBlacklist } from './blacklist/state.ts';
import { type CampaignsState, emptyCampaigns } from './campaigns/state.ts';
import { emptyPushCampaigns, type PushCampaignsState } from './push-campaigns/state.ts';
import { emptySenders, type SendersState } from './senders/state.ts';
import { emptyWebsites, type WebsitesState } from './websites/state.ts';

/** Messaging data: tables of records. */
export interface MessagingState
  extends SendersState,
    CampaignsState,
    BlacklistState,
    WebsitesState,
    PushCampaignsState {
  settings: Settings<BlacklistSettings>;
}

export function emptyMessagingState(ledger: Ledger): MessagingState {
  return {
    settings: new Settings(ledger, 'messaging.settings', { nextId: 1, userId: 77 }),
    ...emptySenders(ledger),
    ...emptyCampaigns(ledger),
    ...emptyBlacklist(ledger),
    ...emptyWebsites(ledger),
    ...emptyPushCampaigns(ledger),
  };
}
