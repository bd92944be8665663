import { expect, test } from 'vitest';
import { start, startAt } from '../support.ts';
import { deal, send } from './raw.ts';

test('a request is logged with its operation, body, status, rule and choices', async () => {
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

test('a body that is not JSON is logged as text', async () => {
  const { sandbox } = start();
  await send(sandbox, 'POST /crm/v1/deals', { body: '{"name":' });
  expect(sandbox.requests).toMatchObject([{ status: 400, body: '{"name":' }]);
});

test('no secret is in the log', async () => {
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

test('the log keeps the last 1,000 requests', async () => {
  const { sandbox } = start();
  for (let index = 0; index <= 1_000; index += 1) await send(sandbox, `GET /crm/v1/users?n=${index}`);
  expect(sandbox.requests).toHaveLength(1_000);
  expect(sandbox.requests[0]?.path).toBe('/crm/v1/users?n=1');
  expect(sandbox.requests.at(-1)?.path).toBe('/crm/v1/users?n=1000');
});
