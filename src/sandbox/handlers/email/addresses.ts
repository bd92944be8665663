import type { EmailAddress } from '../../../../generated/email/models.ts';
import type { Context } from '../../handler.ts';
import type { Mailbox } from '../../state/email.ts';

/** What addresses are compared by. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** An address of a request; `place` says where it stands. */
export function readAddress(address: string | undefined, place: string, context: Context): string {
  if (address === undefined || !/^[^\s@]+@[^\s@]+$/.test(address))
    return context.refuseByChoice('email-address', { message: `${place} is an address, such as ann@example.com.` });
  return address;
}

export function readMailbox({ name = '', email }: EmailAddress, place: string, context: Context): Mailbox {
  return { name, email: readAddress(email, `${place}.email`, context) };
}

export function readMailboxes(given: readonly EmailAddress[] | undefined, place: string, context: Context): Mailbox[] {
  return (given ?? []).map((mailbox, index) => readMailbox(mailbox, `${place}[${index}]`, context));
}

/** Refuses to send from an address that is no sender address of the account. */
export function refuseUnknownSender(address: string, place: string, context: Context): void {
  if (context.state.email.senders.has(addressKey(address))) return;
  context.refuse('email-sender-addresses-shared', {
    message: `${place} is none of the sender addresses; add it with POST /senders.`,
    choice: 'email-sender',
  });
}
