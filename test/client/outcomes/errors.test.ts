import { expect, test } from 'vitest';
import { isCarillonError } from '../../../src/client/index.ts';
import { type Fault, html, reset, respond, serve, status, truncate } from '../../support/fault-server.ts';
import { clientOf, failureOf } from './support.ts';

const call = { operationId: 'getDeal', method: 'GET', path: '/deals/{dealId}' };

test.each<[string, Fault, object]>([
  ['ApiError', status(400), { attempts: 1, sent: 'yes' }],
  ['ServerError', status(503), { attempts: 3, sent: 'maybe' }],
  ['ConnectionError', reset, { attempts: 3, sent: 'maybe' }],
  ['ConnectionError', truncate, { attempts: 3, sent: 'maybe' }],
  ['ResponseError', html(200), { attempts: 1, sent: 'maybe' }],
])('a %s names its call, and says whether it was processed', async (name, fault, expected) => {
  const { url } = await serve(fault);
  const error = await failureOf(clientOf(url).crm.deals.get({ dealId: 501 }));
  expect(error).toMatchObject({ name, ...call, ...expected });
  expect(String(error)).toMatch(/GET \/deals\/\{dealId\}/);
  if (name === 'ConnectionError') expect(String(error)).toContain(new URL(url).host);
});

test('errors before a request is sent name the call, too', async () => {
  const { url } = await serve(() => undefined);
  const nothing = { attempts: 0, sent: 'no' };
  const api = clientOf(url);
  const deal = { pipelineId: 1, stepId: 11, name: 'Renewal' };
  expect(await failureOf(api.crm.deals.get({ dealId: Number.NaN }))).toMatchObject({
    name: 'ArgumentError',
    ...call,
    ...nothing,
  });
  expect(await failureOf(api.crm.deals.get({ dealId: 1 }, { timeout: -1 }))).toMatchObject({
    name: 'ConfigError',
    ...call,
    ...nothing,
  });
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const unwritable = api.email.messages.send({
    subject: 'x',
    from: { name: 'x', email: 'x@example.com' },
    to: [],
    template: { id: 1, variables: circular },
  });
  expect(await failureOf(unwritable)).toMatchObject({
    name: 'ArgumentError',
    operationId: 'sendEmailMessage',
    method: 'POST',
    ...nothing,
  });
  expect(await failureOf(api.crm.deals.create(deal, { headers: { 'x-a': 'a\nb' } }))).toMatchObject({
    name: 'ArgumentError',
    operationId: 'createDeal',
    ...nothing,
  });
});

test('a TokenError names the call that needed the token, even if several calls waited for it', async () => {
  const { url } = await serve(status(403));
  const api = clientOf(url, { auth: { clientId: 'id', clientSecret: 's3cret-value' } });
  const [first, second] = await Promise.all([
    failureOf(api.crm.deals.get({ dealId: 501 })),
    failureOf(api.crm.users.list()),
  ]);
  expect(first).toMatchObject({ name: 'TokenError', status: 403, ...call, attempts: 0, sent: 'no' });
  expect(second).toMatchObject({ name: 'TokenError', operationId: 'listUsers', path: '/users' });
  expect(String(second)).toContain('GET /users');
});

test("the service's own message is a separate property, for user interfaces", async () => {
  const { url } = await serve(respond({ message: 'The name is taken' }, 422));
  const error = await failureOf(clientOf(url).crm.boards.create({ name: 'Tasks' }));
  expect(error).toMatchObject({
    serviceMessage: 'The name is taken',
    message: expect.stringContaining('POST /boards'),
  });
});

test.each([
  ['120', 120_000],
  ['soon', undefined],
])('a RateLimitError has the wait of Retry-After %s in milliseconds: %j', async (header, milliseconds) => {
  const { url } = await serve(status(429, { 'Retry-After': header }));
  const error = await failureOf(clientOf(url, { maxRetries: 0 }).crm.users.list());
  expect(isCarillonError(error, 'RateLimitError') && error.retryAfter).toBe(milliseconds);
});

test('the wait of a RateLimitError until a date is relative to the clock of the service', async () => {
  const headers = { Date: 'Sat, 21 Nov 2026 12:00:00 GMT', 'Retry-After': 'Sat, 21 Nov 2026 12:01:30 GMT' };
  const { url } = await serve(status(429, headers));
  const error = await failureOf(clientOf(url, { maxRetries: 0 }).crm.users.list());
  expect(isCarillonError(error, 'RateLimitError') && error.retryAfter).toBe(90_000);
});

const deep = (open: string, close: string): string => open.repeat(20_000) + close.repeat(20_000);
test.each([
  ['with an object that is no text', '{"message":{"toString":"x"}}'],
  ['with objects that are no text', '{"message":{"toString":{},"valueOf":{}},"error_code":{"toString":1}}'],
  ['with lists', '{"message":[],"error_code":[]}'],
  ['with a deep message', `{"message":${deep('[', ']')},"error_code":422}`],
  ['with deep data', `{"data":${'{"data":'.repeat(20_000)}0${'}'.repeat(20_000)}}`],
  ['that is deep', deep('[', ']')],
  ['with a prototype', '{"__proto__":{"message":"x"}}'],
])('the unusual error body %s is still an ApiError', async (_, body) => {
  for (const code of [400, 200]) {
    if (code === 200 && !body.includes('error_code')) continue;
    const { url } = await serve(status(code, { 'Content-Type': 'application/json' }, body));
    expect(await failureOf(clientOf(url).crm.boards.create({ name: 'Tasks' }))).toMatchObject({
      name: 'ApiError',
      status: code,
    });
  }
});

test("a deeply nested request does not hide the service's answer", async () => {
  const { url } = await serve(respond({ message: 'Too deep' }, 400));
  let filter: object = {};
  for (let depth = 0; depth < 4_000; depth += 1) filter = { filter };
  const { error } = await clientOf(url).crm.POST('/boards', { body: { name: 'Tasks', ...filter } });
  expect(error).toMatchObject({ name: 'ApiError', serviceMessage: 'Too deep' });
});
