import type { PushCampaignStatus } from '../../../../generated/messaging/models.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

export interface PushCampaignsState {
  pushCampaigns: Table<number, PushCampaign>;
}

export interface PushCampaign {
  id: number;
  websiteId: number;
  title: string;
  body: string;
  link: string;
  createdAt: number;
  startAt: number;
  /** Duration of sending, in seconds. */
  stretchTime: number;
  /** Number of subscribers that get it. */
  audience: number;
  /** A status that does not depend on the time and never changes. */
  fixedStatus?: PushCampaignStatus;
}

export function emptyPushCampaigns(ledger: Ledger): PushCampaignsState {
  return { pushCampaigns: new Table(ledger, 'messaging.pushCampaigns', ({ id }) => id) };
}
