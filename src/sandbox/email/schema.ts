import * as z from 'zod';
import * as email from '../../../generated/email/zod.ts';

const mailbox = z.object({ name: z.string(), email: z.string() });

/** Schemas of the email tables in a snapshot. */
export const emailSchema = z.strictObject({
  settings: z
    .strictObject({
      nextId: z.int().min(1),
      activated: z.boolean(),
      userId: z.int(),
      ips: z.array(z.string()),
      resubscriptions: z.array(z.number()),
    })
    .partial(),
  messages: z.array(
    z.object({
      id: z.string(),
      email: z.object({
        from: mailbox,
        visible: z.object({ to: z.array(mailbox), cc: z.array(mailbox) }),
        hidden: z.object({ bcc: z.array(mailbox) }),
        subject: z.string(),
        html: z.string(),
        text: z.string().nullable(),
        attachments: z.array(z.string()),
      }),
      isBounced: z.boolean(),
      openedAt: z.number().nullable(),
      click: z.object({ at: z.number(), url: z.string() }).nullable(),
      sentAt: z.number(),
      senderIp: z.string(),
      size: z.number(),
    }),
  ),
  templates: z.array(z.object({ id: z.string(), realId: z.string(), html: z.string(), text: z.string().nullable() })),
  unsubscribed: z.array(
    z.object({
      email: z.string(),
      comment: z.string(),
      byLink: z.number(),
      byUser: z.number(),
      spamComplaint: z.number(),
      at: z.number(),
    }),
  ),
  senders: z.array(mailbox),
  domains: z.array(email.zSendingDomain),
});
