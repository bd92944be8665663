import * as z from 'zod';
import * as messaging from '../../../generated/messaging/zod.ts';

const phones = z.array(z.int().positive());

/** Schemas of the messaging tables in a snapshot. */
export const messagingSchema = z.strictObject({
  settings: z.strictObject({ nextId: z.int().min(1), userId: z.int() }).partial(),
  senders: z.array(messaging.zSenderName),
  blacklist: z.array(messaging.zBlacklistEntry),
  templates: z.array(z.object({ id: z.int(), senderId: z.int(), approved: z.boolean(), text: z.string() })),
  mailingLists: z.array(z.object({ id: z.int(), phones })),
  campaigns: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      type: messaging.zMessageType,
      message: z.string().nullable(),
      button: z.object({ text: z.string(), link: z.string() }).nullable(),
      imageLink: z.string().nullable(),
      resend: z.object({ text: z.string(), senderName: z.string() }).nullable(),
      addressBook: z.int().nullable(),
      senderId: z.int(),
      liveTime: z.number(),
      stretchTime: z.number(),
      createdAt: z.number(),
      sendAt: z.number(),
      phones,
      blocked: phones,
    }),
  ),
  websites: z.array(
    z.object({
      id: z.int(),
      url: z.string(),
      active: z.boolean(),
      icon: z.string(),
      addedAt: z.number(),
      variables: z.array(messaging.zWebsiteVariable),
      campaignsCreated: z.array(z.number()),
    }),
  ),
  subscribers: z.array(
    z.object({
      record: messaging.zSubscriber.extend({ variables: z.array(z.object({ name: z.string(), value: z.string() })) }),
      websiteId: z.int(),
      page: z.string(),
    }),
  ),
  pushCampaigns: z.array(
    z.object({
      id: z.int(),
      websiteId: z.int(),
      title: z.string(),
      body: z.string(),
      link: z.string(),
      createdAt: z.number(),
      startAt: z.number(),
      stretchTime: z.number(),
      audience: z.int().min(0),
      fixedStatus: messaging.zPushCampaignStatus.optional(),
    }),
  ),
});
