import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import * as schemas from '../../../generated/crm/zod.ts';
import * as emailSchemas from '../../../generated/email/zod.ts';
import * as messagingSchemas from '../../../generated/messaging/zod.ts';
import { effectOf } from '../../../scripts/spec/effect.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { type Route, routes } from '../../../src/sandbox/rules/routes.ts';
import { send } from '../raw.ts';
import { start } from '../support.ts';
import { requestOf } from './read-after.ts';

/** Operations that create or change a record, and respond with it. */
const writing = listOperations(loadSpec('crm')).filter(
  ({ body, operation, operationId }) =>
    body &&
    effectOf(operation).kind === 'write' &&
    /^(create|update)/.test(operationId) &&
    // A token is no record, and the value of an attribute is a pair that responses complete from the attribute.
    !/Token$|AttributeValue$/.test(operationId),
);

/** The records that these operations respond with. */
const records = [
  schemas.zDeal,
  schemas.zDealComment,
  schemas.zDealAttribute,
  schemas.zContact,
  schemas.zContactComment,
  schemas.zContactPhone,
  schemas.zContactEmail,
  schemas.zContactMessenger,
  schemas.zContactAttribute,
  schemas.zContactTag,
  schemas.zStep,
  schemas.zFailReason,
  schemas.zPipeline,
  schemas.zBoard,
];

/** Declares a field in a schema, as the generator does after a line in the spec. */
function declare(schema: unknown, name: string): void {
  if (schema instanceof z.ZodOptional) declare(schema.unwrap(), name);
  if (schema instanceof z.ZodIntersection) declare(schema.def.left, name);
  if (!(schema instanceof z.ZodObject)) return;
  // A schema compiles its checks at the first use. Other tests share it, so they must not contain the field.
  schema.safeParse({});
  const shape: Record<string, unknown> = schema.shape;
  if (Object.hasOwn(shape, name)) return;
  shape[name] = z.int().optional();
  onTestFinished(() => void delete shape[name]);
}

function declareOfBody(route: Route, name: string): void {
  const { bodyFields } = route;
  route.bodyFields = [...bodyFields, name];
  onTestFinished(() => {
    route.bodyFields = bodyFields;
  });
}

test.each(writing.map((operation) => ({ id: operation.operationId, operation })))(
  'a new optional field of a record is stored and returned without code, also if fields must be declared: $id',
  async ({ id, operation }) => {
    const route = routes.crm.find((one) => one.id === id);
    for (const schema of [route?.body, schemas.zContactEmailInput, ...records]) declare(schema, 'priority');
    if (route) declareOfBody(route, 'priority');
    const { sandbox } = start({ strict: true });
    const [{ value } = { value: {} }] = Object.values(operation.body?.examples ?? {});
    const body = { ...Object(value), priority: 3 };
    if (Array.isArray(body.emails) && id === 'createContactEmails')
      body.emails = body.emails.map((entry: object) => ({ ...entry, priority: 3 }));
    const response = await sandbox.fetch(`https://sandbox.example.com${requestOf(operation).split(' ')[1]}`, {
      method: operation.method,
      headers: { authorization: 'Bearer any' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([id, response.status < 300, text.includes('"priority":3')], text).toEqual([id, true, true]);
    expect(response.headers.get('x-sandbox-ignored')).toBeNull();
    expect(response.headers.get('x-sandbox-choice') ?? '').not.toContain('own-fields');
  },
);

test('an update without the new field keeps its value, as those of other fields', async () => {
  for (const schema of [...routes.crm.map(({ body }) => body), ...records]) declare(schema, 'priority');
  for (const route of routes.crm) declareOfBody(route, 'priority');
  const { sandbox } = start();
  const deal = { pipelineId: 1, stepId: 11, name: 'New', price: 1 };
  const { data } = await (await send(sandbox, 'POST /crm/v1/deals', { body: { ...deal, priority: 3 } })).json();
  const update = { body: { ...deal, status: 1 } };
  const updated = await send(sandbox, `PUT /crm/v1/deals/${data.id}`, update);
  expect(updated.headers.get('x-sandbox-choice')).toContain('omitted-fields-kept');
  expect((await updated.json()).data.priority).toBe(3);
  const again = await send(sandbox, `PUT /crm/v1/deals/${data.id}`, { body: { ...update.body, priority: 4 } });
  expect((await again.json()).data.priority).toBe(4);
});

interface Creating {
  id: string;
  /** Schemas of its fields, and of the responses that contain the record. */
  schemas: z.ZodType[];
  /** Operations that return the record. */
  reads: string[];
}

/** Operations of the other specs that create a record. */
const creating: Creating[] = [
  {
    id: 'createCampaign',
    schemas: [
      messagingSchemas.zCampaignCreate,
      messagingSchemas.zCampaignCreated,
      messagingSchemas.zCampaignListItem,
      messagingSchemas.zCampaignStatistics,
    ],
    reads: ['listCampaigns', 'getCampaign'],
  },
  {
    id: 'createPushCampaign',
    schemas: [
      messagingSchemas.zPushCampaignCreate,
      messagingSchemas.zPushCampaignListItem,
      messagingSchemas.zPushCampaignStatistics,
    ],
    reads: ['listPushCampaigns', 'getPushCampaign'],
  },
  {
    id: 'addBlacklistEntries',
    schemas: [messagingSchemas.zBlacklistAdd, messagingSchemas.zBlacklistEntry],
    reads: ['listBlacklistEntries'],
  },
  {
    id: 'addUnsubscribedEmails',
    schemas: [emailSchemas.zAddressToUnsubscribe, emailSchemas.zUnsubscribedEmail],
    reads: ['listUnsubscribedEmails'],
  },
  {
    id: 'sendEmailMessage',
    schemas: [emailSchemas.zEmailToSend, emailSchemas.zEmailMessageListItem, emailSchemas.zEmailMessage],
    reads: ['listEmailMessages', 'getEmailMessage'],
  },
];

test.each(creating)(
  'a new optional field of a request and its record is stored and returned without code: $id',
  async ({ id, schemas, reads }) => {
    for (const schema of schemas) declare(schema, 'priority');
    const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
    const operation = operations.find((one) => one.operationId === id);
    const [{ value } = { value: {} }] = Object.values(operation?.body?.examples ?? {});
    const body = { ...Object(value), emulate: false, phones: [15550100999] };
    if (id !== 'createCampaign') delete body.emulate;
    if (id !== 'addBlacklistEntries') delete body.phones;
    if (id === 'addUnsubscribedEmails') body.emails = [{ email: 'new@example.com', priority: 3 }];
    else if (id === 'sendEmailMessage') body.email = { ...body.email, priority: 3 };
    else body.priority = 3;
    const { sandbox } = start({ strict: true, startAt: Date.UTC(2026, 10, 2, 12) });
    if (!operation) throw new Error(id);
    const response = await send(sandbox, requestOf(operation), { body });
    const text = await response.text();
    expect(response.status, text).toBeLessThan(300);
    if (id === 'createCampaign') expect(text).toContain('"priority":3');
    const [, created] = /"(?:task_)?id":"?([\w-]+)/.exec(text) ?? [];
    for (const read of operations.filter(({ operationId }) => reads.includes(operationId)))
      expect(await (await send(sandbox, requestOf(read, created))).text(), read.operationId).toContain('"priority":3');
  },
);
