import type { EmailAddress } from '../../../generated/email/models.ts';
import type { Context } from '../rules/context.ts';
import type { Mailbox } from './senders.ts';

/** Checks and returns an email address in a request. `place` is the location of the address in the body. */
export function readAddress(address: string | undefined, place: string, context: Context): string {
  if (address === undefined || !/^[^\s@]+@[^\s@]+$/.test(address))
    return context.rejectByChoice('email-address', `${place} must be an email address, such as ann@example.com.`);
  return address;
}

export function readMailbox({ name = '', email }: EmailAddress, place: string, context: Context): Mailbox {
  return { name, email: readAddress(email, `${place}.email`, context) };
}

export function readMailboxes(given: readonly EmailAddress[] | undefined, place: string, context: Context): Mailbox[] {
  return (given ?? []).map((mailbox, index) => readMailbox(mailbox, `${place}[${index}]`, context));
}
