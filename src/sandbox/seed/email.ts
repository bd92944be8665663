import { emailFacts } from '../../../generated/email/details.ts';
import { formatDateTime } from '../dates.ts';
import type { EmailState, Mailbox, Outcome, OutgoingEmail } from '../state/email.ts';
import type { SeedSource } from './seed.ts';

/** When the story of spec/README.md begins, and when its last email is dealt with. */
const storyBegins = Date.UTC(2026, 10, 2, 9, 30);
const storySent = Date.UTC(2026, 10, 3, 10);
const storyEnds = Date.UTC(2026, 10, 3, 10, 30);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const sales: Mailbox = { name: 'Example Sales', email: 'sales@example.com' };
const ann: Mailbox = { name: 'Ann Kowal', email: 'ann.kowal@example.com' };
const ben: Mailbox = { name: 'Ben Ito', email: 'ben.ito@example.com' };
const renewLink = 'https://shop.example.com/renew';

/** Fills this part with a small realistic data set, and with `size` messages and fewer unsubscribed addresses. */
export function seedEmail(state: EmailState, source: SeedSource): void {
  // Where the clock is behind the story, the story is put back: nothing has happened in the future.
  const back = Math.max(0, storyEnds - source.now);
  // Above every ID of the story.
  state.nextId = 101;
  state.senders.set(sales.email, { ...sales });
  seedDomain(state, storyBegins - back);
  seedTemplates(state);
  const sentAt = storySent - back;
  addMessage(state, 'msg-2026-0001', ann, sentAt, readBy(sentAt, 20 * minute, 21 * minute));
  addMessage(state, 'msg-2026-0002', ben, sentAt, bounce);
  unsubscribe(state, ben.email, storyEnds - back);
  seedMessages(state, source);
  // Most of the others were sent before those of the story.
  state.messages = sortedBy(state.messages, (message) => message.sentAt);
  state.unsubscribed = sortedBy(state.unsubscribed, (entry) => entry.at);
}

function sortedBy<Entry>(entries: ReadonlyMap<string, Entry>, key: (entry: Entry) => number): Map<string, Entry> {
  return new Map([...entries].sort(([, one], [, other]) => key(one) - key(other)));
}

function seedDomain(state: EmailState, begins: number): void {
  state.domains.set('example.com', {
    id: 91,
    user_id: state.userId,
    service_type: emailFacts.domainServiceType,
    service_value: 'example.com',
    status: 1,
    expire_date: formatDateTime(begins + 365 * day),
    auto_free_prolong: 1,
    currency: 'EUR',
    is_default: true,
    ssl_type: 1,
    ssl_expired: null,
    ssl_generated: null,
    checks: {
      check_dkim: true,
      check_spf: true,
      check_dmarc: true,
      all_checks: true,
      spf_txt_needed: 'v=spf1 include:spf.example.com ~all',
    },
  });
}

function seedTemplates({ templates }: EmailState): void {
  const greeting = 'Hello {{first_name}}, your {{plan}} plan renews soon.';
  templates.set('700', {
    id: '700',
    realId: '81700',
    html: `<p>${greeting}</p><p><a href="${renewLink}">Renew now</a></p>`,
    text: `${greeting} ${renewLink}`,
  });
  templates.set('703', { id: '703', realId: '81703', html: '<p>Thank you, {{first_name}}!</p>', text: null });
}

/** Messages of the last 30 days at most, the oldest first; every 20th bounces, the last one among them. */
function seedMessages(state: EmailState, { size, now, random }: SeedSource): void {
  const distance = Math.min(hour, (30 * day) / size);
  // Whole hours, so that seeds of the same time are the same to the millisecond.
  const end = Math.floor(now / hour) * hour;
  for (let place = 0; place < size; place += 1) {
    const sentAt = Math.floor(end - (size - place) * distance);
    const chance = random();
    const opens = Math.floor(chance * day);
    const outcome =
      (size - place) % 20 === 1 ? bounce : readBy(sentAt, opens, chance < 0.5 ? opens + minute : undefined);
    const customer = { name: `Customer ${place + 1}`, email: `customer${place + 1}@example.com` };
    const id = `msg-${new Date(sentAt).getUTCFullYear()}-${String(state.nextId++).padStart(4, '0')}`;
    addMessage(state, id, customer, sentAt, outcome);
    if (place % 10 === 0) unsubscribe(state, customer.email, sentAt);
  }
}

const bounce: Outcome = { isBounced: true, openedAt: null, click: null };

/** Times after the sending. */
function readBy(sentAt: number, opens: number, clicks?: number): Outcome {
  const click = clicks === undefined ? null : { at: sentAt + clicks, url: renewLink };
  return { isBounced: false, openedAt: sentAt + opens, click };
}

function addMessage({ messages }: EmailState, id: string, to: Mailbox, sentAt: number, outcome: Outcome): void {
  const email: OutgoingEmail = {
    from: { ...sales },
    visible: { to: [{ ...to }], cc: [] },
    hidden: { bcc: [] },
    subject: 'Your annual plan renewal',
    html: `<p>Hello, your annual plan renews on 2 December.</p><p><a href="${renewLink}">Renew now</a></p>`,
    text: 'Hello, your annual plan renews on 2 December.',
    attachments: [],
  };
  messages.set(id, { id, email, ...outcome, sentAt, senderIp: '192.0.2.10', size: 2048 });
}

function unsubscribe({ unsubscribed }: EmailState, email: string, at: number): void {
  unsubscribed.set(email, { email, comment: 'Asked by phone', byLink: 0, byUser: 1, spamComplaint: 0, at });
}
