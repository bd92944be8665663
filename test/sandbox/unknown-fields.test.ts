import { expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { deal, send } from './raw.ts';
import { startAt } from './support.ts';

const start = (options = {}) => createSandbox({ startAt, ...options });

test('an open record keeps fields that the spec does not describe, and returns them', async () => {
  const sandbox = start();
  const created = await send(sandbox, 'POST /crm/v1/deals', { body: { ...deal, region: 'North', __proto__x: [1] } });
  const { data } = await created.json();
  expect(data).toMatchObject({ region: 'North', __proto__x: [1] });
  expect(created.headers.get('x-sandbox-choice')).toContain('own-fields');
  expect(created.headers.get('x-sandbox-ignored')).toBeNull();
  const update = { ...deal, price: 1, status: 1, region: 'South' };
  await send(sandbox, `PUT /crm/v1/deals/${data.id}`, { body: update });
  const read = await (await send(sandbox, `GET /crm/v1/deals/${data.id}`)).json();
  expect(read.data).toMatchObject({ region: 'South', __proto__x: [1] });
});

test.each([
  ['POST /crm/v1/contacts/create', { responsibleId: 77 }],
  ['POST /crm/v1/contacts', { responsibleId: 77 }],
  ['PUT /crm/v1/contacts/3001', { responsibleId: 77, firstName: 'Ann' }],
  ['POST /crm/v1/pipelines', { name: 'New' }],
  ['PUT /crm/v1/pipelines/1', { name: 'New' }],
  ['POST /crm/v1/pipelines/1/steps', { name: 'New' }],
  ['PUT /crm/v1/pipelines/1/steps/11', { name: 'New' }],
  ['POST /crm/v1/pipelines/1/fail-reasons', { name: 'New' }],
  ['POST /crm/v1/pipelines/1/attributes', { name: 'New', type: 0 }],
  ['POST /crm/v1/boards', { name: 'New' }],
])('%s keeps an own field, but never lets it replace the ID', async (request, fields) => {
  const sandbox = start();
  const response = await send(sandbox, request, { body: { ...fields, mine: { a: [1] }, id: 5 } });
  const { data } = await response.json();
  expect(data).toMatchObject({ mine: { a: [1] } });
  expect(data.id).not.toBe(5);
  expect(response.headers.get('x-sandbox-ignored')).toBe('body.id');
});

test('x-sandbox-ignored names the other unread fields and parameters', async () => {
  const sandbox = start();
  const read = await send(sandbox, 'GET /msgr/task?limit=1&order=new&gr%C3%B6%C3%9Fe=1');
  expect(read.headers.get('x-sandbox-ignored')).toBe('query.order, query.gr%C3%B6%C3%9Fe');
  const email = { subject: 'S', from: { email: 'sales@example.com', vip: 1 }, to: [{ email: 'a@example.com' }] };
  const body = { email: { ...email, html: btoa('x'), text: 'x', priority: 1 }, extra: true };
  const sent = await send(sandbox, 'POST /smtp/emails', { body });
  expect(sent.headers.get('x-sandbox-ignored')).toBe('body.email.from.vip, body.email.priority, body.extra');
  const plain = await send(sandbox, 'GET /crm/v1/deals/501');
  expect(plain.headers.get('x-sandbox-ignored')).toBeNull();
});

test('the header names at most 20 fields', async () => {
  const query = Array.from({ length: 30 }, (_, index) => `p${index}=1`).join('&');
  const read = await send(start(), `GET /crm/v1/deals/501?${query}`);
  expect(read.headers.get('x-sandbox-ignored')).toMatch(/^query\.p0, .*query\.p19, \.\.\.$/);
});

test('strict rejects fields and parameters that the spec does not describe, except ownFields', async () => {
  const sandbox = start({ strict: true, ownFields: ['region'] });
  const before = sandbox.snapshot();
  for (const [request, body] of [
    ['POST /crm/v1/deals', { ...deal, regoin: 'North' }],
    ['GET /crm/v1/deals/501?full=1', undefined],
    ['POST /smtp/unsubscribe', { emails: [{ email: 'a@example.com', region: 1 }] }],
  ] as const) {
    const rejected = await send(sandbox, request, { body });
    expect([request, rejected.status, rejected.headers.get('x-sandbox-choice')]).toEqual([
      request,
      422,
      'unknown-field',
    ]);
  }
  expect(sandbox.snapshot()).toEqual(before);
  const kept = await send(sandbox, 'POST /crm/v1/deals', { body: { ...deal, region: 'North' } });
  expect((await kept.json()).data.region).toBe('North');
});
