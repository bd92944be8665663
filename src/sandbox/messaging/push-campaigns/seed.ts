import { PushCampaignStatus, SubscriberStatus } from '../../../../generated/messaging/models.ts';
import { takeId } from '../../data/settings.ts';
import type { SeedSource } from '../../seed-source.ts';
import type { MessagingState } from '../state.ts';
import { countByStatus, type WebsiteEntry } from '../websites/state.ts';
import type { PushCampaign } from './state.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Adds the web push campaign of the example story, and one older campaign for every hundred of the seed's size. */
export function seedPushCampaigns(
  state: MessagingState,
  shop: Readonly<WebsiteEntry>,
  { size }: SeedSource,
  begins: number,
): void {
  const sale: PushCampaign = {
    id: 8101,
    websiteId: shop.id,
    title: 'Autumn sale',
    body: '20 % off all annual plans until Sunday.',
    link: 'https://shop.example.com/sale',
    createdAt: begins,
    startAt: begins + 24.5 * hour,
    stretchTime: 5 * 3_600,
    audience: countByStatus(state, shop.id, SubscriberStatus.Active),
  };
  for (let days = Math.floor(size / 100); days > 0; days -= 1) {
    const at = begins - days * day;
    const fixedStatus = pastStatuses[days % pastStatuses.length] ?? PushCampaignStatus.Archived;
    const id = takeId(state.settings);
    state.pushCampaigns.put({ ...sale, id, title: `News ${days}`, createdAt: at, startAt: at, fixedStatus });
  }
  state.pushCampaigns.put(sale);
  state.websites.put({ ...shop, campaignsCreated: [begins] });
}

/** Statuses of the older campaigns, which do not depend on the time. */
const pastStatuses = [
  PushCampaignStatus.Sent,
  PushCampaignStatus.TestSent,
  PushCampaignStatus.AwaitingAbTestResults,
  PushCampaignStatus.CanceledByUser,
  PushCampaignStatus.Archived,
];
