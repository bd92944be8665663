import type {
  EmailClientInfo,
  EmailMessage,
  EmailMessageBase,
  EmailMessageListItem,
  EmailTracking,
} from '../../../../generated/email/models.ts';
import { zEmailMessage, zEmailMessageListItem } from '../../../../generated/email/zod.ts';
import { formatDateTime } from '../../data/dates.ts';
import type { AnyChoice } from '../../rules/choices.ts';
import type { Context } from '../../rules/context.ts';
import { shownUnhandled } from '../../rules/unhandled-fields.ts';
import { accepted, bounced, type MessageEntry } from './messages.ts';

/** Choices that apply to responses with a message record. */
export const recordChoices = [
  'email-message-record',
  'email-message-size',
  'email-delivery',
  'email-ips',
  'utc-dates',
] as const satisfies readonly AnyChoice[];

/** Returns the record of a message in a list, where numbers are JSON numbers. */
export function listItem(entry: MessageEntry, context: Context, hasCountry = true): EmailMessageListItem {
  return {
    ...shownUnhandled(entry.email, zEmailMessageListItem),
    ...base(entry, context, hasCountry),
    total_size: entry.size,
    smtp_answer_code: replyOf(entry).code,
  };
}

/** Returns the record of a single message, where numbers are strings. */
export function singleRecord(entry: MessageEntry, context: Context): EmailMessage {
  return {
    ...shownUnhandled(entry.email, zEmailMessage),
    ...base(entry, context, true),
    total_size: String(entry.size),
    smtp_answer_code: String(replyOf(entry).code),
  };
}

function base(entry: MessageEntry, context: Context, hasCountry: boolean): EmailMessageBase {
  const tracking = trackingOf(entry, context.now, hasCountry);
  // The format of the send date is documented, but the format of later dates is not.
  if (tracking.open > 0) context.chose('dates-format');
  const { id, email, sentAt, senderIp } = entry;
  const { subcode, data } = replyOf(entry);
  const { to } = email.visible;
  return {
    id,
    sender: email.from.email,
    sender_ip: senderIp,
    used_ip: senderIp,
    smtp_answer_subcode: subcode,
    smtp_answer_data: data,
    recipient: to.length === 1 ? (to[0]?.email ?? null) : null,
    subject: email.subject,
    send_date: formatDateTime(sentAt),
    tracking,
  };
}

function replyOf({ isBounced }: MessageEntry): typeof accepted {
  return isBounced ? bounced : accepted;
}

/** Returns what the recipient has opened and clicked so far. */
function trackingOf({ openedAt, click }: MessageEntry, now: number, hasCountry: boolean): EmailTracking {
  const client = (moment: number): EmailClientInfo => ({
    browser: 'Firefox',
    os: 'Linux',
    ip: '198.51.100.24',
    ...(hasCountry && { country: 'Ireland' }),
    action_date: formatDateTime(moment),
  });
  const opens = openedAt !== null && openedAt <= now ? [client(openedAt)] : [];
  const clicks =
    click && click.at <= now ? [{ url: click.url, screen_resolution: '1920x1080', ...client(click.at) }] : [];
  return { click: clicks.length, open: opens.length, link: clicks, client_info: opens };
}
