import * as z from 'zod';
import { day } from '../data/dates.ts';
import type { Resource } from '../data/resource.ts';
import { type SeedSource, storyBegins } from '../data/seed-source.ts';
import { Settings } from '../data/settings.ts';

export interface MessagingCommonTables {
  settings: Settings<MessagingSettings>;
}

export interface MessagingSettings {
  nextId: number;
  /** `user_id` of new blacklist entries. */
  userId: number;
}

const zMessagingSettings = z.strictObject({ nextId: z.int().min(1), userId: z.int() }).partial();

/** Choices that several resources share. */
const choices = {
  'messaging-impossible-date': 'A request with a date that does not exist returns status 422.',
  'messaging-past-date': 'A campaign with a `send_date` in the past is sent immediately.',
  'messaging-repeated-phone':
    'If a request contains a phone number twice, only one message or one entry is created. Both count towards the maximum number of recipients, so a request to send a system message to the same number twice returns HTTP status 422.',
  'messaging-phone-range':
    'A phone number is a positive integer that a JSON number can represent exactly. A request with any other value returns status 422.',
  'messaging-list-order':
    'Lists are in order of creation. Recipients are in the order of the request or the mailing list.',
} as const;

/**
 * Settings and choices that the messaging resources share.
 *
 * @internal
 */
export const messagingCommon: Resource<MessagingCommonTables, typeof choices> = {
  tables: (ledger) => ({
    settings: new Settings(ledger, 'messaging.settings', {
      defaults: { nextId: 1, userId: 77 },
      schema: zMessagingSettings,
    }),
  }),

  seed({ settings }) {
    // Higher than all IDs of the example story.
    settings.set('nextId', 100_001);
  },

  choices,
};

/**
 * Start of the example story (spec/README.md). If the clock is earlier, the story is moved back, so that no event is in
 * the future.
 */
export function startOfStory({ now, shift }: SeedSource): number {
  return now < storyBegins ? now - day : storyBegins + Math.max(0, shift);
}
