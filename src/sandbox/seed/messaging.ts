import type { MessagingState } from '../state/messaging.ts';
import { seedCampaigns } from './messaging-campaigns.ts';
import { seedPush } from './messaging-push.ts';
import type { SeedSource } from './seed.ts';

/** When the story of spec/README.md begins. */
const storyBegins = Date.UTC(2026, 10, 2, 9, 30);
const day = 86_400_000;

/** Fills this part with a small realistic data set, and with `size` subscribers, and fewer blacklist entries and campaigns. */
export function seedMessaging(state: MessagingState, source: SeedSource): void {
  // Where the clock is behind the story, the story is put back: nothing has happened in the future.
  const begins = source.now < storyBegins ? source.now - day : storyBegins;
  // Above every ID of the story.
  state.nextId = 100_001;
  seedCampaigns(state, source, begins);
  seedPush(state, source, begins);
}
