import type { Context } from '../../handler.ts';
import type { OutgoingEmail } from '../../state/email.ts';
import { outcomeOf } from './progress.ts';

/** Records an email as sent now; gives the ID of its message. */
export function dispatch(email: OutgoingEmail, attachedBytes: number, context: Context): string {
  const { email: state } = context.state;
  const year = new Date(context.now).getUTCFullYear();
  const id = `msg-${year}-${String(state.nextId++).padStart(4, '0')}`;
  state.messages.set(id, {
    id,
    email,
    ...outcomeOf(email, context.now),
    sentAt: context.now,
    senderIp: state.ips[0] ?? '',
    size: attachedBytes + byteLength([email.subject, email.html, email.text ?? '']),
  });
  context.chose('email-delivery');
  context.chose('email-message-record');
  return id;
}

export function byteLength(texts: readonly string[]): number {
  const encoder = new TextEncoder();
  return texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);
}
