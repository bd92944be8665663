import type { PushCampaignStatus } from '../../../../generated/messaging/models.ts';

export interface PushCampaignsState {
  pushCampaigns: Map<number, PushCampaign>;
}

export interface PushCampaign {
  id: number;
  websiteId: number;
  title: string;
  body: string;
  link: string;
  createdAt: number;
  startAt: number;
  /** Seconds over which it is sent. */
  stretchTime: number;
  /** How many subscribers get it. */
  audience: number;
  /** A status that does not follow from the time, and stays. */
  fixedStatus?: PushCampaignStatus;
}

export function emptyPushCampaigns(): PushCampaignsState {
  return { pushCampaigns: new Map() };
}
