import type { EmailToSend } from '../../../../generated/email/models.ts';
import { zEmailMessage, zEmailMessageListItem, zEmailToSend } from '../../../../generated/email/zod.ts';
import { byteLength, decodeBase64 } from '../../rules/bytes.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { unhandledFields } from '../../rules/unhandled-fields.ts';
import { stringEntries } from '../../rules/validation.ts';
import { readMailbox, readMailboxes } from '../addresses.ts';
import { addressKey } from '../common.ts';
import { rejectUnknownSender } from '../senders-handlers.ts';
import { makeContent, readSource } from './content.ts';
import { dispatch, sendingChoices } from './dispatch.ts';
import type { OutgoingEmail } from './messages.ts';

/** Sends an email to all recipients at once. Checks the fields of the request before the account data. */
export const sendEmailMessage: Handlers['email']['sendEmailMessage'] = {
  always: sendingChoices,
  handle({ body }, context) {
    const { email: given } = body;
    const { subject, ...untreated } = given;
    const attachments = stringEntries(given.attachments, ['body', 'email', 'attachments']);
    const binary = stringEntries(given.attachments_binary, ['body', 'email', 'attachments_binary']);
    const source = readSource(given, context);
    const recipients = readRecipients(given, context);
    const from = readMailbox(given.from, 'from', context);
    const bytes = byteLength(attachments.map(([, text]) => text).join('')) + lengthOfFiles(binary, context);
    const content = makeContent(source, given, context);
    rejectUnknownSender(from.email, 'from.email', context);
    const email: OutgoingEmail = {
      ...unhandledFields(untreated, zEmailToSend, zEmailMessage, zEmailMessageListItem),
      from,
      ...recipients,
      subject,
      ...content,
      attachments: [...attachments, ...binary].map(([name]) => name),
    };
    markUnsubscribed(email, context);
    return { result: true, id: dispatch(email, bytes, context) };
  },
};

/**
 * Reads the recipients. Addresses in `to` and `cc` are visible to all recipients, but addresses in `bcc` are hidden.
 */
function readRecipients({ to, cc, bcc }: EmailToSend, context: Context): Pick<OutgoingEmail, 'visible' | 'hidden'> {
  if (to.length === 0) context.rejectByChoice('email-address', 'to must have at least one recipient.');
  return {
    visible: { to: readMailboxes(to, 'to', context), cc: readMailboxes(cc, 'cc', context) },
    hidden: { bcc: readMailboxes(bcc, 'bcc', context) },
  };
}

/** Returns the total size of Base64 files, in bytes. */
function lengthOfFiles(files: readonly [name: string, encoded: string][], context: Context): number {
  return files.reduce((sum, [name, encoded]) => {
    const length = decodeBase64(encoded)?.length;
    if (length === undefined)
      return context.rejectByChoice('email-base64', `attachments_binary: ${name} must be encoded in Base64.`);
    return sum + length;
  }, 0);
}

function markUnsubscribed({ visible, hidden }: OutgoingEmail, context: Context): void {
  const { unsubscribed } = context.state.email;
  if ([...visible.to, ...visible.cc, ...hidden.bcc].some(({ email }) => unsubscribed.has(addressKey(email))))
    context.chose('email-unsubscribed-recipient');
}
