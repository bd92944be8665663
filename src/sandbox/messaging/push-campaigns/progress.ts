import { PushCampaignStatus } from '../../../../generated/messaging/models.ts';
import { clickedEvery, creationTime, type PushCampaign, undeliveredEvery } from './push-campaigns.ts';

/** Returns the end of sending. */
export function endOf({ startAt, stretchTime }: Readonly<PushCampaign>): number {
  return startAt + stretchTime * 1_000;
}

/** Returns the current status of a campaign (Document 2 §3). */
export function statusOf(campaign: Readonly<PushCampaign>, now: number): PushCampaignStatus {
  const { createdAt, startAt, audience, fixedStatus } = campaign;
  if (fixedStatus !== undefined) return fixedStatus;
  if (now < createdAt + creationTime) return PushCampaignStatus.CreationInProgress;
  if (audience === 0) return PushCampaignStatus.NoActiveRecipients;
  if (now < startAt) return PushCampaignStatus.New;
  return now < endOf(campaign) ? PushCampaignStatus.InProgress : PushCampaignStatus.Sent;
}

/** Returns how many notifications have been sent, delivered and clicked so far. */
export function numbersOf(
  campaign: Readonly<PushCampaign>,
  now: number,
): { sent: number; delivered: number; clicked: number } {
  const { startAt, stretchTime, audience } = campaign;
  const passed = stretchTime === 0 ? 1 : (now - startAt) / (stretchTime * 1_000);
  const sent = now < startAt ? 0 : Math.floor(audience * Math.min(1, passed));
  const delivered = sent - Math.floor(sent / undeliveredEvery);
  return { sent, delivered, clicked: Math.floor(delivered / clickedEvery) };
}
