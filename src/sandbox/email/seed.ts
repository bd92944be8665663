import type { Table } from '../data/table.ts';
import type { SeedSource } from '../seed-source.ts';
import { seedDomain } from './domains/state.ts';
import { addMessage, bounce, readBy, seedMessages, seedTemplates } from './messages/seed.ts';
import { type Mailbox, seedSenders } from './senders/state.ts';
import type { EmailState } from './state.ts';
import { seedUnsubscribed } from './unsubscribes/state.ts';

/** Start of the example story (spec/README.md), time of its emails, and its end. */
const storyBegins = Date.UTC(2026, 10, 2, 9, 30);
const storySent = Date.UTC(2026, 10, 3, 10);
const storyEnds = Date.UTC(2026, 10, 3, 10, 30);
const minute = 60_000;

const ann: Mailbox = { name: 'Ann Kowal', email: 'ann.kowal@example.com' };
const ben: Mailbox = { name: 'Ben Ito', email: 'ben.ito@example.com' };

/** Adds the small realistic data set, `size` messages, and a smaller number of unsubscribed addresses. */
export function seedEmail(state: EmailState, source: SeedSource): void {
  const { shift } = source;
  // Above all IDs of the story.
  state.settings.set('nextId', 101);
  seedSenders(state);
  seedDomain(state, state.settings.get('userId'), storyBegins + shift);
  seedTemplates(state);
  const sentAt = storySent + shift;
  addMessage(state, 'msg-2026-0001', ann, sentAt, readBy(sentAt, 20 * minute, 21 * minute));
  addMessage(state, 'msg-2026-0002', ben, sentAt, bounce);
  seedUnsubscribed(state, ben.email, storyEnds + shift);
  seedMessages(state, source);
  // Most of the other messages are older than those of the story.
  sort(state.messages, (message) => message.sentAt);
  sort(state.unsubscribed, (entry) => entry.at);
}

function sort<Entry extends object>(table: Table<string, Entry>, key: (entry: Readonly<Entry>) => number): void {
  const entries = [...table.values()].sort((one, other) => key(one) - key(other));
  table.clear();
  for (const entry of entries) table.put(entry);
}
