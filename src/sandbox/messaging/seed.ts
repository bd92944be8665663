import type { SeedSource } from '../seed-source.ts';
import { seedBlacklist } from './blacklist/state.ts';
import { seedCampaigns } from './campaigns/seed.ts';
import { seedPushCampaigns } from './push-campaigns/seed.ts';
import { seedSenders } from './senders/state.ts';
import type { MessagingState } from './state.ts';
import { seedWebsites } from './websites/seed.ts';

/** Start of the example story (spec/README.md). */
const storyBegins = Date.UTC(2026, 10, 2, 9, 30);
const day = 86_400_000;

/** Adds the small realistic data set, `size` subscribers, and smaller numbers of blacklist entries and campaigns. */
export function seedMessaging(state: MessagingState, source: SeedSource): void {
  // If the clock is earlier than the story, move the story back, so that nothing happens in the future.
  const begins = source.now < storyBegins ? source.now - day : storyBegins + Math.max(0, source.shift);
  // Above all IDs of the story.
  state.settings.set('nextId', 100_001);
  seedSenders(state);
  seedBlacklist(state, source, begins);
  seedCampaigns(state, source, begins);
  const shop = seedWebsites(state, source, begins);
  seedPushCampaigns(state, shop, source, begins);
}
