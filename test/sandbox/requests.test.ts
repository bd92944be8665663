import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import type { RequestFilter } from '../../src/sandbox/index.ts';
import { isSecretName, secretParts, secretWords } from '../../src/shared/secret-names.ts';
import { deal, origin, send } from './raw.ts';
import { start, startAt } from './support.ts';

test('logs a request with its operation, body, status, rule and choices', async () => {
  const { sandbox } = start();
  await send(sandbox, 'POST /crm/v1/deals?x=1', { body: deal });
  await send(sandbox, 'GET /crm/v1/pipelines/9/fail-reasons');
  await send(sandbox, 'GET /nothing');
  expect(sandbox.requests).toMatchObject([
    { at: startAt, method: 'POST', path: '/crm/v1/deals?x=1', operation: 'createDeal', body: deal },
    { operation: 'listPipelineFailReasons', status: 404, rule: 'fail-reasons-unknown-pipeline' },
    { method: 'GET', path: '/nothing', status: 404 },
  ]);
});

test('logs a body that is not JSON as text', async () => {
  const { sandbox } = start();
  await send(sandbox, 'POST /crm/v1/deals', { body: '{"name":' });
  expect(sandbox.requests).toMatchObject([{ status: 400, body: '{"name":' }]);
});

test('logs no secrets', async () => {
  const { sandbox } = start();
  const body = { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'hush-hush' };
  const response = await send(sandbox, 'POST /oauth/access_token', { token: null, body });
  const { access_token: token }: { access_token: string } = await response.json();
  await send(sandbox, 'GET /crm/v1/users', { token });
  await send(sandbox, 'POST /oauth/access_token', { token: null, body: JSON.stringify(body).slice(1) });
  expect(sandbox.requests).toHaveLength(3);
  const log = JSON.stringify(sandbox.requests);
  expect(log).not.toContain('hush-hush');
  expect(log).not.toContain(token);
});

test('keeps the last 1,000 requests', async () => {
  const { sandbox } = start();
  for (let index = 0; index <= 1_000; index += 1) await send(sandbox, `GET /crm/v1/users?n=${index}`);
  expect(sandbox.requests).toHaveLength(1_000);
  expect(sandbox.requests[0]?.path).toBe('/crm/v1/users?n=1');
  expect(sandbox.requests.at(-1)?.path).toBe('/crm/v1/users?n=1000');
});

test('a response has the number of its request', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ status: 503 });
  const numbers: string[] = [];
  for (const request of [
    'GET /crm/v1/users',
    'GET /crm/v1/users',
    'GET /nothing',
    'OPTIONS /crm/v1/users',
    'HEAD /push/tasks',
  ]) {
    const response = await send(sandbox, request);
    const number = response.headers.get('x-sandbox-request') ?? '';
    expect(sandbox.log.get(Number(number))?.status).toBe(response.status);
    numbers.push(number);
  }
  expect(numbers).toEqual(['1', '2', '3', '4', '5']);
  expect([0, 6, 1.5, Number.NaN].map((id) => sandbox.log.get(id))).toEqual(Array(4).fill(undefined));
});

test('does not keep a body of more than 65,536 characters, but its length', async () => {
  const { sandbox } = start();
  const name = 'x'.repeat(64 * 1024);
  await send(sandbox, 'POST /crm/v1/deals', { body: { ...deal, name } });
  const [entry] = sandbox.requests;
  expect(entry?.bodyLength).toBe(JSON.stringify({ ...deal, name }).length);
  expect(entry?.body).toBeUndefined();
});

test('limits the log to a few megabytes by dropping the oldest requests', async () => {
  const { sandbox } = start();
  const body = JSON.stringify({ ...deal, own: 'x'.repeat(60_000) });
  for (let index = 0; index < 200; index += 1) await send(sandbox, 'POST /crm/v1/deals', { body });
  const [first] = sandbox.requests;
  expect(sandbox.requests.length).toBeLessThan(150);
  expect(sandbox.requests.at(-1)).toMatchObject({ id: 200, body: { name: deal.name } });
  expect(sandbox.log.get(first?.id ?? 0)).toBe(first);
  expect(JSON.stringify(sandbox.requests).length).toBeLessThan(9 * 1024 * 1024);
});

test('filters and clears the log, and reads it from a given entry', async () => {
  const { sandbox } = start();
  const { log } = sandbox;
  const calls = [
    'GET /crm/v1/deals/501?a=1',
    'GET /crm/v1/deals/502',
    'GET /crm/v1/pipelines/9/fail-reasons',
    'DELETE /crm/v1/deals/501',
  ];
  for (const call of calls) await send(sandbox, call);
  const ids = (filter?: Parameters<typeof log.list>[0]) => log.list(filter).map(({ id }) => id);
  expect(ids({ operation: 'getDeal' })).toEqual([1, 2]);
  expect(ids({ path: '/crm/v1/deals/501' })).toEqual([1, 4]);
  expect(ids({ path: '/crm/v1/deals/501', method: 'DELETE', status: 204 })).toEqual([4]);
  expect(ids({ rule: 'fail-reasons-unknown-pipeline' })).toEqual([3]);
  expect(ids({ status: 404, after: 2 })).toEqual([3]);
  expect(ids({ limit: 1 })).toEqual([4]);
  expect(ids({ limit: 0 })).toEqual([]);
  expect(ids()).toEqual([1, 2, 3, 4]);
  log.clear();
  expect([sandbox.requests.length, log.list().length, log.get(4)]).toEqual([0, 0, undefined]);
  await send(sandbox, 'GET /crm/v1/users');
  expect(ids({ after: 4 })).toEqual([5]);
});

test('replaces secrets in a query', async () => {
  const { sandbox } = start();
  await send(sandbox, 'GET /crm/v1/users?a=1&client_secret=hush&b=%20&access%5Ftoken=hush&%E0=1');
  expect(sandbox.requests[0]?.path).toBe('/crm/v1/users?a=1&client_secret=***&b=%20&access%5Ftoken=***&%E0=1');
});

test('an entry and its body are plain data for JSON', async () => {
  const { sandbox } = start();
  await send(sandbox, 'POST /crm/v1/deals', { body: deal });
  expect(JSON.parse(JSON.stringify(sandbox.requests))).toMatchObject([
    { id: 1, at: startAt, method: 'POST', path: '/crm/v1/deals', operation: 'createDeal', body: deal, status: 200 },
  ]);
});

test('searches the log by method, path pattern and a text in the query, a header or the body', async () => {
  const { sandbox } = start();
  await send(sandbox, 'POST /crm/v1/deals', { body: { ...deal, name: 'First' } });
  await sandbox.fetch(`${origin}/crm/v1/deals/501?note=here`, {
    headers: { 'X-Trace': 'abc', authorization: 'Bearer any' },
  });
  const ids = (filter: RequestFilter) => sandbox.log.list(filter).map(({ id }) => id);
  expect([ids({ text: 'First' }), ids({ text: 'note=here' }), ids({ text: 'abc' })]).toEqual([[1], [2], [2]]);
  expect([ids({ path: '/crm/*/deals' }), ids({ path: '/crm/*' })]).toEqual([[1], [1, 2]]);
  expect([ids({ method: 'post' }), ids({ limit: 0 }), ids({ limit: 1 })]).toEqual([[1], [], [2]]);
});

test('a negative limit and an unknown condition of the log are invalid, even over HTTP', async () => {
  const { sandbox } = start({ control: true });
  for (const limit of [-1, 1.5, Number.NaN])
    expect(() => sandbox.log.list({ limit })).toThrow(/^limit must be a whole number/);
  // @ts-expect-error: JavaScript can misspell a condition.
  expect(() => sandbox.log.list({ operatoin: 'getDeal' })).toThrow('There is no condition operatoin');
  for (const query of ['limit=-1', 'operatoin=getDeal', 'limit=x'])
    expect((await send(sandbox, `GET /__sandbox/requests?${query}`)).status).toBe(400);
});

test.each(['key', 'pwd', 'auth', 'client_secret', 'API_KEY', 'apiKey', 'password', 'access_token', 'x-auth'])(
  'hides the value of %s in a query and in a header',
  async (name) => {
    const { sandbox } = start();
    const hidden = 'hush-hush';
    const headers = { authorization: `Bearer ${hidden}`, [`x-${name.replace('_', '-')}`]: hidden };
    await sandbox.fetch(`${origin}/crm/v1/deals?a=b&${name}=${hidden}`, { method: 'POST', headers });
    expect(JSON.stringify(sandbox.requests)).not.toContain(hidden);
    expect(sandbox.log.list({ text: hidden })).toEqual([]);
    expect(JSON.stringify(sandbox.requests)).toContain('***');
  },
);

test.each([
  ...['pass', 'pin', 'userPin', 'otp', 'jwt', 'session', 'sessionId', 'sid', 'X-Signature', 'oauth', 'accessKey'],
  ...secretParts,
  ...secretWords,
])('hides the value of %s, which is what a credential is called', async (name) => {
  const { sandbox } = start();
  await send(sandbox, `GET /crm/v1/users?${name}=hush-hush`);
  expect(JSON.stringify(sandbox.requests)).not.toContain('hush-hush');
});

test.each(['sender', 'passport', 'spin', 'assigned', 'keyword', 'authored', 'sideways', 'compass'])(
  'shows %s, which only resembles the name of a secret',
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);

test('the guide lists the names that the log hides', () => {
  const guide = readFileSync(join(repositoryRoot, 'docs/guides/sandbox-reference.md'), 'utf8').replace(/\s+/g, ' ');
  const list = (names: readonly string[]): string =>
    `${names
      .slice(0, -1)
      .map((name) => `\`${name}\``)
      .join(', ')} or \`${names.at(-1)}\``;
  expect(guide).toContain(
    `names that contain ${list(secretParts)}, and those with one of the words ${list(secretWords)}`,
  );
});

test('logs responses, except those with tokens', async () => {
  const { sandbox } = start();
  const created = await send(sandbox, 'POST /crm/v1/deals', { body: deal });
  await send(sandbox, 'GET /crm/v1/deals/9999');
  await send(sandbox, 'DELETE /crm/v1/deals/501');
  const text = await created.text();
  expect(sandbox.requests[0]).toMatchObject({ responseBody: JSON.parse(text), responseBodyLength: text.length });
  expect(sandbox.requests[1]?.responseBody).toMatchObject({ message: expect.any(String) });
  expect(sandbox.requests[2]).not.toHaveProperty('responseBodyLength');

  const body = { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'hush-hush' };
  const { access_token: token } = await (await send(sandbox, 'POST /oauth/access_token', { token: null, body })).json();
  expect(JSON.stringify(sandbox.requests)).not.toContain(token);
  expect(sandbox.requests.at(-1)).not.toHaveProperty('responseBodyLength');
});

test('finds a text in the operation, rule, choices, path, headers and body of a request, ignoring case', async () => {
  const { sandbox } = start();
  await send(sandbox, 'POST /crm/v1/deals?source=Fair', { body: deal });
  await send(sandbox, 'GET /crm/v1/pipelines/9/fail-reasons');
  const found = (text: string) => sandbox.log.list({ text }).map(({ id }) => id);
  for (const text of ['createdeal', 'source=fair', 'ANNUAL PLAN', 'post'])
    expect([text, found(text)]).toEqual([text, [1]]);
  expect(found('fail-reasons-unknown-pipeline')).toEqual([2]);
  expect(found('bearer any')).toEqual([]);
});

test('the log has the headers of each response, without secrets', async () => {
  const { sandbox } = start();
  const headers = { 'set-cookie': 'session=1', 'retry-after': '2' };
  sandbox.faults.add({ operation: 'listUsers', status: 429, headers });
  await send(sandbox, 'GET /crm/v1/users');
  await send(sandbox, 'GET /crm/v1/deals/9');
  await send(sandbox, 'GET /nothing');
  expect(sandbox.requests.map(({ responseHeaders }) => responseHeaders)).toEqual([
    expect.objectContaining({ 'set-cookie': '***', 'retry-after': '2' }),
    expect.objectContaining({ 'content-type': 'application/json', 'x-sandbox-choice': 'unknown-record' }),
    expect.objectContaining({ 'x-sandbox-choice': 'unknown-operation', 'x-sandbox-request': '3' }),
  ]);
  const token = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' };
  await send(sandbox, 'POST /oauth/access_token', { body: token, token: null });
  expect(sandbox.requests.at(-1)?.responseBody).toBeUndefined();
  expect(sandbox.requests.at(-1)?.responseHeaders).toMatchObject({ 'x-sandbox-request': '4' });
});
