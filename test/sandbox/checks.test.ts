import { expect, test } from 'vitest';
import { choices } from '../../src/sandbox/index.ts';
import { system } from './messaging/examples.ts';
import { deal, send } from './raw.ts';
import { expectChoice, rejectionOf, start } from './support.ts';

const deals = 'POST /crm/v1/deals';

test('a body that is not JSON gets status 400', async () => {
  const { sandbox } = start();
  const response = await send(sandbox, deals, { body: '{"name":' });
  expect(response.status).toBe(400);
  expect(response.headers.get('x-sandbox-choice')).toBe('malformed-json');
});

test('lists each violation with its place, and stores nothing', async () => {
  const { sandbox } = start();
  const before = sandbox.state.crm.deals.size;
  const response = await send(sandbox, deals, { body: { ...deal, stepId: 'first' } });
  expect(response.status).toBe(422);
  expect(response.headers.get('x-sandbox-choice')).toBe('request-shape');
  expect(await response.json()).toMatchObject({ violations: [{ location: ['body', 'stepId'] }] });
  expect(sandbox.state.crm.deals.size).toBe(before);
});

test('lists the permitted values of an enum, numbers and words alike', async () => {
  const { sandbox } = start();
  const messages = async (body: object) => (await send(sandbox, 'POST /crm/v1/pipelines/1/steps', { body })).json();
  const hours = '1, 2, 3, 4, 5, 6, 8, 9, 10';
  expect(await messages({ addEndHours: 7 })).toMatchObject({
    violations: [{ location: ['body', 'addEndHours'], message: `Invalid input: expected one of ${hours}` }],
  });
  expect(await messages({ color: 'white' })).toMatchObject({
    violations: [{ message: expect.stringContaining('"#000000"|"black"') }],
  });
});

test('a missing required body is reported', async () => {
  const response = await send(start().sandbox, deals);
  expect(await response.json()).toMatchObject({ violations: [{ location: ['body'], message: 'A body is required' }] });
});

test('reads a query parameter as its declared type', async () => {
  const { sandbox } = start();
  const rejected = await send(sandbox, 'GET /msgr/task?limit=many');
  expect(rejected.status).toBe(422);
  expect(await rejected.json()).toMatchObject({ violations: [{ location: ['query', 'limit'] }] });
});

test('rejects a value that breaks only an assumed limit, and says that the limit is assumed', async () => {
  const { sandbox } = start();
  const update = (body: object) => send(sandbox, 'PUT /crm/v1/contacts/9001', { body });
  const rejected = await (await update({ firstName: 5 })).json();
  expect(rejected.violations).toEqual([
    { location: ['body', 'responsibleId'], message: expect.not.stringContaining('assumption') },
    {
      location: ['body', 'firstName'],
      message: expect.stringMatching(/^Invalid input: .* \(an assumption: its type is not documented\)$/),
      inferred: true,
    },
  ]);
  const phones = async (given: unknown) => {
    const body = { phones: [given] };
    return (await (await send(sandbox, 'POST /v2/msgr-service/phone-exception', { body })).json()).violations;
  };
  expect(await phones('+15550100123')).toEqual([
    {
      location: ['body', 'phones', '0'],
      message: expect.stringMatching(/pattern .* \(an assumption: its form is not documented\)$/),
      inferred: true,
    },
  ]);
});

test('checks the shape first, then rules with a code, then limits', async () => {
  const { sandbox } = start();
  const inLimits = { ...system, template_id: 701 };
  const outOfLimits = { ...inLimits, message_live_time: 1 };
  const outOfShape = { ...outOfLimits, sender_id: 'five' };
  const create = async (body: object) => (await send(sandbox, 'POST /msgr', { body })).json();
  expect(await create(outOfShape)).toMatchObject({ violations: [{ location: ['body', 'sender_id'] }] });
  expect(await create(outOfLimits)).toEqual({ message: '3084', error_code: 422 });
  const limits = await create({ ...outOfLimits, template_id: 700 });
  expect(limits).toMatchObject({ violations: [{ location: ['body', 'message_live_time'] }] });
  expect(await create({ ...inLimits, template_id: 700 })).not.toHaveProperty('violations');
});

test('counts lengths in characters, like JSON Schema', async () => {
  const { sandbox } = start();
  const name = '😀'.repeat(255);
  const created = await send(sandbox, deals, { body: { ...deal, name } });
  expect(await created.json()).toMatchObject({ data: { name } });
  expect((await send(sandbox, deals, { body: { ...deal, name: `${name}!` } })).status).toBe(422);
  const values = (value: string) =>
    send(sandbox, 'POST /crm/v1/contacts', { body: { responsibleId: 77, attributes: [{ name: 'Smile', value }] } });
  expect((await values('😀'.repeat(5_500))).status).toBe(200);
  expect((await values('😀'.repeat(5_501))).status).toBe(422);
});

test('checks documented statuses before limits: an unknown pipeline, a pipeline without an enabled fail reason', async () => {
  const { sandbox, api } = start();
  const name = 'x'.repeat(256);
  for (const request of [
    'POST /crm/v1/pipelines/9/fail-reasons',
    'PUT /crm/v1/pipelines/1/fail-reasons/9',
    'PUT /crm/v1/pipelines/9/fail-reasons/31',
  ]) {
    const response = await send(sandbox, request, { body: { name } });
    expect([request, response.status]).toEqual([request, 404]);
    expect(response.headers.get('x-sandbox-rule')).toMatch(/^fail-reasons?-unknown/);
  }
  await api.crm.pipelines.failReasons.update({ pipelineId: 2, reasonId: 33, isEnabled: false });
  const failed = { pipelineId: 2, stepId: 9, status: 2, name, price: 1 };
  const response = await send(sandbox, 'PUT /crm/v1/deals/501', { body: failed });
  expect(response.headers.get('x-sandbox-rule')).toMatch(/^deal-fail-needs-enabled-fail-reason;/);
  // The pipeline in the update replaces the deal's pipeline.
  expect(response.headers.get('x-sandbox-choice')).toBe('fail-pipeline');
});

test('checks limits before state: reports a name that is too long, not the unknown step', async () => {
  const { sandbox } = start();
  const body = { ...deal, stepId: 99_999, name: 'x'.repeat(256) };
  expect(await (await send(sandbox, deals, { body })).json()).toMatchObject({
    violations: [{ location: ['body', 'name'] }],
  });
});

test('a rejection names the rule and its section', async () => {
  const { api } = start();
  await api.crm.pipelines.failReasons.update({ pipelineId: 2, reasonId: 33, isEnabled: false });
  const { id } = await api.crm.deals.create({ pipelineId: 2, stepId: 21, name: 'First week' });
  const call = api.crm.deals.update({ dealId: id, pipelineId: 2, stepId: 21, name: 'First week', price: 1, status: 2 });
  const { rule } = await rejectionOf(call);
  expect(rule).toBe('deal-fail-needs-enabled-fail-reason; CRM document, sections 3 and 7');
});

test('an undocumented response names its choice, described in full sentences', async () => {
  const { api } = start();
  await expectChoice(api.crm.deals.get({ dealId: 99_999 }), 'unknown-record', 404);
  for (const [id, text] of Object.entries(choices)) expect(text, id).toMatch(/^[A-Z`].*\.$/s);
});
