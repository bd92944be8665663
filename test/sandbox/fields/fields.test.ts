import { describe, expect, test } from 'vitest';
import { effectOf } from '../../../scripts/spec/effect.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { examineFields, isInResponse } from './examine.ts';

/** Fields that cannot be read back, by operation, because no operation that reads their records returns them. */
const unread: Record<string, string[]> = {
  createToken: ['grant_type', 'client_id', 'client_secret'],
  // No operation lists notes on contacts.
  createContactComment: ['message'],
  updateContactComment: ['message'],
  createCampaign: [
    'message_type',
    'template_id',
    'variables.*',
    'emulate',
    'additional.resend_sms.sms_text',
    'additional.resend_sms.sms_sender_name',
  ],
  createPushCampaign: [
    'ttl',
    'filter_lang',
    'filter_browser',
    'filter_region',
    'filter_url',
    'filter_subscription_date_from',
    'filter_subscription_date_to',
    'filter.variable_name',
    'filter.operator',
    'filter.conditions[].condition',
    'filter.conditions[].value',
    'stretch_time',
    'buttons',
    'image',
    'icon',
  ],
  sendEmailMessage: [
    'email.html',
    'email.text',
    'email.template.id',
    'email.template.variables.*',
    'email.auto_plain_text',
    'email.from.name',
    'email.to[].name',
    'email.cc[].name',
    'email.cc[].email',
    'email.bcc[].name',
    'email.bcc[].email',
    'email.attachments.*',
    'email.attachments_binary.*',
  ],
  addUnsubscribedEmails: ['emails[].comment'],
  requestEmailResubscription: ['lang'],
  createSenderAddress: ['name'],
};

const specs = specNames.map((name) => listOperations(loadSpec(name)));
const writing = specs.flatMap((operations) =>
  operations
    .filter(({ body, operation }) => body && ['write', 'send'].includes(effectOf(operation).kind))
    .map((operation) => ({ id: operation.operationId, operation, operations })),
);

describe('every field that an operation writes', () => {
  test.each(writing)('can be read back, or is in no response: $id', async ({ id, operation, operations }) => {
    const listed = unread[id] ?? [];
    const fields = await examineFields(operation, operations, listed);
    expect(fields.size).toBeGreaterThan(0);
    const lost = [...fields.keys()].filter((field) => !fields.get(field));
    const advice = `${id}: the handler loses a field, or the seed accepts only one value of it, or no operation reads it, which the list \`unread\` of this file says; or the list has one that is read back`;
    expect(lost.sort(), advice).toEqual([...listed].sort());
    expect(listed.filter((field) => isInResponse(operation, field, operations))).toEqual([]);
  });

  test('belongs to an operation of the specs', () => {
    const known = writing.map(({ id }) => id);
    expect(Object.keys(unread).filter((id) => !known.includes(id))).toEqual([]);
  });
});
