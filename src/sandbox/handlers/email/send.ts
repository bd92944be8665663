import type { EmailHandlers } from '../../../../generated/email/handlers.ts';
import type { EmailToSend } from '../../../../generated/email/models.ts';
import type { Context } from '../../handler.ts';
import type { OutgoingEmail } from '../../state/email.ts';
import { readMailbox, readMailboxes, refuseUnknownSender } from './addresses.ts';
import { decodeBase64, readContent } from './content.ts';
import { byteLength, dispatch } from './outgoing.ts';

/** Sends an email to everyone at once. */
export const sendEmailMessage: EmailHandlers['sendEmailMessage'] = ({ body }, context) => {
  const { email: given } = body;
  const content = readContent(given, context);
  const recipients = readRecipients(given, context);
  const from = readMailbox(given.from, 'from', context);
  refuseUnknownSender(from.email, 'from.email', context);
  const attached = readAttachments(given, context);
  const email: OutgoingEmail = {
    from,
    ...recipients,
    subject: given.subject,
    ...content,
    attachments: attached.names,
  };
  return { result: true, id: dispatch(email, attached.bytes, context) };
};

/** Copies in `cc` are visible, those in `bcc` hidden. */
function readRecipients({ to, cc, bcc }: EmailToSend, context: Context): Pick<OutgoingEmail, 'visible' | 'hidden'> {
  if (to.length === 0) context.refuseByChoice('email-address', { message: 'to has at least one recipient.' });
  return {
    visible: { to: readMailboxes(to, 'to', context), cc: readMailboxes(cc, 'cc', context) },
    hidden: { bcc: readMailboxes(bcc, 'bcc', context) },
  };
}

function readAttachments(
  { attachments = {}, attachments_binary: binary = {} }: EmailToSend,
  context: Context,
): { names: string[]; bytes: number } {
  let bytes = byteLength(Object.values(attachments));
  for (const [name, encoded] of Object.entries(binary)) {
    const decoded = decodeBase64(encoded);
    if (!decoded)
      return context.refuseByChoice('email-base64', { message: `attachments_binary: ${name} is encoded in Base64.` });
    bytes += decoded.length;
  }
  return { names: [...Object.keys(attachments), ...Object.keys(binary)], bytes };
}
