import { newId } from '../../data/settings.ts';
import { byteLength } from '../../rules/bytes.ts';
import type { AnyChoice } from '../../rules/choices.ts';
import type { Context } from '../../rules/context.ts';
import { clickedAfter, type DeliveryOutcome, type OutgoingEmail, openedAfter } from './messages.ts';

/** Choices that apply to operations that send an email. */
export const sendingChoices = ['email-delivery', 'email-message-record'] as const satisfies readonly AnyChoice[];

/** Stores an email as sent at the current time. Returns the message ID. */
export function dispatch(email: OutgoingEmail, attachedBytes: number, context: Context): string {
  const { email: state } = context.state;
  const year = new Date(context.now).getUTCFullYear();
  const id = `msg-${year}-${String(newId(state)).padStart(4, '0')}`;
  state.messages.put({
    id,
    email,
    ...outcomeOf(email, context.now),
    sentAt: context.now,
    senderIp: state.settings.get('ips')[0] ?? '',
    size: attachedBytes + byteLength(email.subject + email.html + (email.text ?? '')),
  });
  return id;
}

/** Returns the outcome of an email. The outcome depends on the address of the first recipient. */
function outcomeOf({ visible, html }: OutgoingEmail, now: number): DeliveryOutcome {
  const address = visible.to[0]?.email.toLowerCase() ?? '';
  const isBounced = address.startsWith('bounce');
  const isOpened = !isBounced && !address.startsWith('unopened');
  const url = isOpened && !address.startsWith('unclicked') ? firstLink(html) : undefined;
  return {
    isBounced,
    openedAt: isOpened ? now + openedAfter : null,
    click: url === undefined ? null : { at: now + clickedAfter, url },
  };
}

function firstLink(html: string): string | undefined {
  return /<a\s[^<>]*?href\s*=\s*["']?(https?:[^"'\s<>]+)/i.exec(html)?.[1];
}
