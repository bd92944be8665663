import { takeId } from '../../data/settings.ts';
import type { SeedSource } from '../../seed-source.ts';
import { type Mailbox, salesSender } from '../senders/state.ts';
import type { EmailState } from '../state.ts';
import { seedUnsubscribed } from '../unsubscribes/state.ts';
import type { MessagesState, Outcome, OutgoingEmail } from './state.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const renewLink = 'https://shop.example.com/renew';

/** Adds the templates of the example story (spec/README.md). */
export function seedTemplates({ templates }: MessagesState): void {
  const greeting = 'Hello {{first_name}}, your {{plan}} plan renews soon.';
  templates.put({
    id: '700',
    realId: '81700',
    html: `<p>${greeting}</p><p><a href="${renewLink}">Renew now</a></p>`,
    text: `${greeting} ${renewLink}`,
  });
  templates.put({ id: '703', realId: '81703', html: '<p>Thank you, {{first_name}}!</p>', text: null });
}

/** Adds messages of at most the last 30 days, oldest first. Every 20th message bounces, including the last one. */
export function seedMessages(state: EmailState, { size, now, random }: SeedSource): void {
  const distance = Math.min(hour, (30 * day) / size);
  // Use whole hours, so that seeds created within the same hour are identical.
  const end = Math.floor(now / hour) * hour;
  for (let place = 0; place < size; place += 1) {
    const sentAt = Math.floor(end - (size - place) * distance);
    const chance = random();
    const opens = Math.floor(chance * day);
    const outcome =
      (size - place) % 20 === 1 ? bounce : readBy(sentAt, opens, chance < 0.5 ? opens + minute : undefined);
    const customer = { name: `Customer ${place + 1}`, email: `customer${place + 1}@example.com` };
    const id = `msg-${new Date(sentAt).getUTCFullYear()}-${String(takeId(state.settings)).padStart(4, '0')}`;
    addMessage(state, id, customer, sentAt, outcome);
    if (place % 10 === 0) seedUnsubscribed(state, customer.email, sentAt);
  }
}

export const bounce: Outcome = { isBounced: true, openedAt: null, click: null };

/**
 * Returns the outcome of an email that is opened and, optionally, clicked. `opens` and `clicks` are milliseconds after
 * sending.
 */
export function readBy(sentAt: number, opens: number, clicks?: number): Outcome {
  const click = clicks === undefined ? null : { at: sentAt + clicks, url: renewLink };
  return { isBounced: false, openedAt: sentAt + opens, click };
}

export function addMessage(
  { messages }: MessagesState,
  id: string,
  to: Mailbox,
  sentAt: number,
  outcome: Outcome,
): void {
  const email: OutgoingEmail = {
    from: { ...salesSender },
    visible: { to: [{ ...to }], cc: [] },
    hidden: { bcc: [] },
    subject: 'Your annual plan renewal',
    html: `<p>Hello, your annual plan renews on 2 December.</p><p><a href="${renewLink}">Renew now</a></p>`,
    text: 'Hello, your annual plan renews on 2 December.',
    attachments: [],
  };
  messages.put({ id, email, ...outcome, sentAt, senderIp: '192.0.2.10', size: 2048 });
}
