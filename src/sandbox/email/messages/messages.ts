import * as z from 'zod';
import { emailRules, emailTitles } from '../../../../generated/email/reference.ts';
import { day, hour, minute } from '../../data/dates.ts';
import type { Resource } from '../../data/resource.ts';
import { type SeedSource, storyEnds, storySent } from '../../data/seed-source.ts';
import { newId } from '../../data/settings.ts';
import { Table, valuesOf } from '../../data/table.ts';
import { type UnhandledFields, zUnhandledFields } from '../../rules/unhandled-fields.ts';
import type { EmailCommonTables } from '../common.ts';
import { type Mailbox, salesSender, zMailbox } from '../senders.ts';
import { seedUnsubscribed, type UnsubscribesTables } from '../unsubscribes.ts';

/** Value of the parameter `country` that omits the country from responses. */
export const countryOff = emailRules['email-country-off'].values.word;

/** Time between sending and opening, in milliseconds. */
export const openedAfter = minute;
/** Time between sending and clicking, in milliseconds. */
export const clickedAfter = 2 * minute;

/** Replies from the receiving server. */
export const accepted = { code: 250, subcode: '2.0.0', data: 'Message accepted' };
export const bounced = { code: 550, subcode: '5.1.1', data: 'Mailbox unavailable' };

export interface MessagesTables {
  /** Messages in the order in which they were sent. */
  messages: Table<string, MessageEntry>;
  templates: Table<string, EmailTemplate>;
}

/** An email to send. */
export interface OutgoingEmail extends UnhandledFields {
  from: Mailbox;
  /** Visible to all recipients. */
  visible: { to: Mailbox[]; cc: Mailbox[] };
  /** Hidden from all recipients. */
  hidden: { bcc: Mailbox[] };
  subject: string;
  html: string;
  /** Text part, or `null` if the email has only an HTML part. */
  text: string | null;
  /** File names. */
  attachments: string[];
}

/** The outcome of an email, determined when it is sent. */
export interface DeliveryOutcome {
  isBounced: boolean;
  /** Time of opening, or `null` if the email is not opened. */
  openedAt: number | null;
  /** Click on a link, or `null` if no link is clicked. */
  click: { at: number; url: string } | null;
}

export interface MessageEntry extends DeliveryOutcome {
  id: string;
  email: OutgoingEmail;
  sentAt: number;
  senderIp: string;
  /** Size in bytes. */
  size: number;
}

/** A stored template. No operation reads or writes templates. */
export interface EmailTemplate {
  id: string;
  realId: string;
  /** HTML part. Variables in the HTML and text parts are marked as `{{name}}`. */
  html: string;
  text: string | null;
}

const zMessageEntry = z.object({
  id: z.string(),
  email: z.object({
    from: zMailbox,
    visible: z.object({ to: z.array(zMailbox), cc: z.array(zMailbox) }),
    hidden: z.object({ bcc: z.array(zMailbox) }),
    subject: z.string(),
    html: z.string(),
    text: z.string().nullable(),
    attachments: z.array(z.string()),
    unhandled: zUnhandledFields,
  }),
  isBounced: z.boolean(),
  openedAt: z.number().nullable(),
  click: z.object({ at: z.number(), url: z.string() }).nullable(),
  sentAt: z.number(),
  senderIp: z.string(),
  size: z.number(),
});
const zEmailTemplate = z.object({ id: z.string(), realId: z.string(), html: z.string(), text: z.string().nullable() });

const choices = {
  'email-content-mixed': 'A request that contains a template together with `html` or `text` returns status 422.',
  'email-content-empty':
    '`text` counts as missing if it is empty, and `html` if it is empty or contains only whitespace. A template counts as missing if it has neither an ID nor variables.',
  'email-base64':
    'A request returns status 422 if `html` or a file in `attachments_binary` is not Base64. `html` is decoded as UTF-8.',
  'email-generated-text': 'The generated text part is the HTML without its tags.',
  'email-template-variables': `Templates mark a variable as \`{{name}}\`. The value of a variable is filled in as a string, or as JSON if it is a list or an object. A variable without a value is replaced with an empty string. Variables that the template does not have are ignored.`,
  'email-template':
    'The stored templates are those in `state.email.templates`, because no operation stores or lists templates. A request with any other template ID returns status 422.',
  'email-message-record':
    'An email has one message record, regardless of its number of recipients. `recipient` is null if `to` contains several recipients. Confirmation emails also have records and count towards the total.',
  'email-message-size':
    '`total_size` is the size in bytes of the subject, both parts of the body, and the decoded attachments.',
  'email-delivery': `The receiving server replies immediately. The address of the first recipient in \`to\` determines the outcome of an email. If the address starts with \`bounce\`, the email bounces with ${bounced.code}. If it starts with \`unopened\`, the email is not opened. If it starts with \`unclicked\`, the email is opened, but no link is clicked. Any other email is opened after ${openedAfter / 1_000} seconds, and its first link, if any, is clicked after ${clickedAfter / 1_000} seconds.`,
  'email-unsubscribed-recipient': 'An email to an unsubscribed address is delivered as usual.',
  'email-ips': '`sender_ip` and `used_ip` are the first sender IP address of the account.',
  'email-empty-filter': 'An empty `from`, `to`, `sender`, `recipient` or `country` counts as missing.',
  'email-message-period':
    '`from` and `to` have the format `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`. A message matches if its send date is in the period from `from` to `to`, including both bounds. A date without a time stands for the whole day. A request with any other format returns status 422.',
  'email-message-addresses':
    '`sender` and `recipient` match only whole addresses. `recipient` is compared with all addresses in `to`, `cc` and `bcc`.',
  'email-country': `\`country\` has no effect unless its value is \`${countryOff}\`.`,
  'email-many-messages':
    'A request for several messages returns an array of the same records as the list, in the order of the request and without duplicates. Unknown IDs are ignored.',
  'email-bounce-time':
    'If a message bounces, it bounces when it is sent. It counts as a bounce for exactly the documented number of hours. `date` selects the bounces of one day.',
} as const;

const ann: Mailbox = { name: 'Ann Kowal', email: 'ann.kowal@example.com' };
const ben: Mailbox = { name: 'Ben Ito', email: 'ben.ito@example.com' };
const renewLink = 'https://shop.example.com/renew';

/** Tables that the seed fills. */
type SeedState = MessagesTables & UnsubscribesTables & EmailCommonTables;

/**
 * Messages and their bounces, with the templates that they use.
 *
 * @internal
 */
export const messages: Resource<MessagesTables, typeof choices, SeedState> = {
  tables: (ledger) => ({
    messages: new Table(ledger, 'email.messages', {
      key: ({ id }) => id,
      schema: zMessageEntry,
      title: ({ email }) => valuesOf(email, emailTitles.EmailMessageListItem),
      ids: ({ id }) => [Number(/(\d+)$/.exec(id)?.[1] ?? 0)],
    }),
    templates: new Table(ledger, 'email.templates', { key: ({ id }) => id, schema: zEmailTemplate }),
  }),

  seed(state, source) {
    const { shift } = source;
    seedTemplates(state);
    const sentAt = storySent + shift;
    addMessage(state, 'msg-2026-0001', ann, sentAt, readBy(sentAt, 20 * minute, 21 * minute));
    addMessage(state, 'msg-2026-0002', ben, sentAt, bounce);
    seedUnsubscribed(state, ben.email, storyEnds + shift);
    seedMessages(state, source);
    // Most of the other messages are older than the messages of the story.
    sort(state.messages, (message) => message.sentAt);
    sort(state.unsubscribed, (entry) => entry.at);
  },

  choices,
};

/** Adds the templates of the example story (spec/README.md). */
function seedTemplates({ templates }: MessagesTables): void {
  const greeting = 'Hello {{first_name}}, your {{plan}} plan renews soon.';
  templates.put({
    id: '700',
    realId: '81700',
    html: `<p>${greeting}</p><p><a href="${renewLink}">Renew now</a></p>`,
    text: `${greeting} ${renewLink}`,
  });
  templates.put({ id: '703', realId: '81703', html: '<p>Thank you, {{first_name}}!</p>', text: null });
}

/**
 * Adds messages from at most the last 30 days, oldest first. Every 20th message bounces, including the last message.
 */
function seedMessages(state: SeedState, { size, now, random }: SeedSource): void {
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
    const id = `msg-${new Date(sentAt).getUTCFullYear()}-${String(newId(state)).padStart(4, '0')}`;
    addMessage(state, id, customer, sentAt, outcome);
    if (place % 10 === 0) seedUnsubscribed(state, customer.email, sentAt);
  }
}

const bounce: DeliveryOutcome = { isBounced: true, openedAt: null, click: null };

/**
 * Returns the outcome of an email that is opened and, optionally, clicked. `opens` and `clicks` are milliseconds after
 * sending.
 */
function readBy(sentAt: number, opens: number, clicks?: number): DeliveryOutcome {
  const click = clicks === undefined ? null : { at: sentAt + clicks, url: renewLink };
  return { isBounced: false, openedAt: sentAt + opens, click };
}

function addMessage(
  { messages }: MessagesTables,
  id: string,
  to: Mailbox,
  sentAt: number,
  outcome: DeliveryOutcome,
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

function sort<Entry extends object>(table: Table<string, Entry>, key: (entry: Readonly<Entry>) => number): void {
  const entries = table.save().sort((one, other) => key(one) - key(other));
  table.clear();
  table.load(entries);
}
