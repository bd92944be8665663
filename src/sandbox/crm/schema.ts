import * as z from 'zod';
import * as crm from '../../../generated/crm/zod.ts';

const values = z.array(z.object({ attributeId: z.int(), value: z.string() }));
const part = { pipelineId: z.int() };
const moments = { createdAt: z.number(), updatedAt: z.number() };

/** Schemas of the CRM tables in a snapshot. */
export const crmSchema = z.strictObject({
  settings: z.strictObject({ nextId: z.int().min(1) }).partial(),
  users: z.array(z.object({ record: crm.zUser, isActive: z.boolean(), isInvited: z.boolean() })),
  pipelines: z.array(crm.zPipeline),
  steps: z.array(z.object({ ...part, record: crm.zStep })),
  dealAttributes: z.array(z.object({ ...part, record: crm.zDealAttribute })),
  failReasons: z.array(z.object({ ...part, record: crm.zFailReason, isDefault: z.boolean() })),
  deals: z.array(
    z.object({
      ...moments,
      record: crm.zDeal.extend({ pipelineId: z.int(), stepId: z.int() }),
      place: z.number(),
      contacts: z.array(z.int()),
      values,
      notes: z.array(crm.zDealComment),
    }),
  ),
  contacts: z.array(
    z.object({
      ...moments,
      record: crm.zContact,
      location: z.string().optional(),
      sourceType: crm.zContactSourceType.optional(),
      phones: z.array(z.object({ id: z.int(), phone: z.string().optional() })),
      emails: z.array(z.object({ id: z.int(), email: z.string().optional(), isMain: z.boolean().optional() })),
      messengers: z.array(z.object({ id: z.int(), login: z.string().optional() })),
      notes: z.array(crm.zContactComment).optional(),
      tags: z.array(z.int()).optional(),
      values: values.optional(),
    }),
  ),
  contactAttributes: z.array(crm.zContactAttribute),
  messengerTypes: z.array(z.object({ id: z.int() })),
  tags: z.array(crm.zContactTag),
  payments: z.array(
    z.object({ id: z.int(), record: crm.zPayment, dealId: z.int().optional(), contactId: z.int().optional() }),
  ),
  boards: z.array(crm.zBoard),
});
