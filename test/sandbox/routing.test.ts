import { expect, test } from 'vitest';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { origin, send } from './raw.ts';
import { start } from './support.ts';

test('routes every operation of the specs', async () => {
  const { sandbox } = start();
  for (const { base, path, method, operationId } of specNames.flatMap((name) => listOperations(loadSpec(name)))) {
    const real = `/${base}${path}`.replace(/^\/+/, '/').replace(/\{\w+\}/g, '1');
    await send(sandbox, `${method} ${real}`, { token: null });
    expect(sandbox.requests.at(-1)?.operation, `${method} ${real}`).toBe(operationId);
  }
});

test.each(['/crm/v1/deals/%35%30%31', '/crm/v1/%64eals/501'])(
  'a percent-encoded digit or letter is the same as the character (RFC 3986, section 6.2.2.2): %s',
  async (path) => {
    const { sandbox } = start();
    expect(await (await send(sandbox, `GET ${path}`)).json()).toMatchObject({ data: { id: 501 } });
  },
);

test.each(['/crm/v1/deals/501', '//crm/v1///deals/501', '/crm/v1/deals/501/', '/crm/v1/deals/501?x=1'])(
  'ignores extra slashes: %s',
  async (path) => {
    const { sandbox } = start();
    const response = await send(sandbox, `GET ${path}`);
    expect(await response.json()).toMatchObject({ data: { id: 501 } });
  },
);

test('prefers a concrete path to a template', async () => {
  const { sandbox } = start();
  await send(sandbox, 'GET /crm/v1/deals/attributes/1');
  expect(sandbox.requests.at(-1)?.operation).toBe('listDealAttributeDefinitions');
  await send(sandbox, 'GET /crm/v1/deals/501/attributes');
  expect(sandbox.requests.at(-1)?.operation).toBe('listDealAttributeValues');
});

test.each(['/', '/crm/v1', '/crm/v1/nothing', '/crm/v1/deals/first', '/__sandbox/clock'])(
  'answers an unknown path with 404: %s',
  async (path) => {
    const { sandbox } = start();
    const response = await send(sandbox, `GET ${path}`);
    expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([404, 'unknown-operation']);
    expect(sandbox.requests.at(-1)).toMatchObject({ status: 404, choices: ['unknown-operation'] });
    expect(await response.json()).toEqual({ message: expect.any(String) });
  },
);

test('answers an unknown method on a known path with 405 and the allowed methods', async () => {
  const { sandbox } = start();
  const response = await send(sandbox, 'PATCH /crm/v1/deals/501');
  expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([405, 'unknown-operation']);
  expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PUT');
});

test('OPTIONS returns the methods of the path, and HEAD a GET response without a body', async () => {
  const { sandbox } = start();
  const options = await send(sandbox, 'OPTIONS /crm/v1/payments/all', { token: null });
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  for (const [path, status] of [
    ['/crm/v1/deals/501', 200],
    ['/crm/v1/deals/9', 404],
    ['/nothing', 404],
  ]) {
    const response = await send(sandbox, `HEAD ${path}`);
    expect([path, response.status, await response.text()]).toEqual([path, status, '']);
  }
  expect((await send(sandbox, 'HEAD /crm/v1/deals')).status).toBe(405);
});

test('a negative ID matches no record', async () => {
  const response = await send(start().sandbox, 'GET /crm/v1/deals/-1');
  expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([404, 'unknown-record']);
});

test('accepts a Request, a URL or an address, each with init', async () => {
  const { sandbox } = start();
  const headers = { authorization: 'Bearer any' };
  const body = JSON.stringify({ name: 'From a Request' });
  const url = `${origin}/crm/v1/pipelines`;
  const answers = [
    await sandbox.fetch(new Request(url, { method: 'POST', headers, body })),
    await sandbox.fetch(new URL(url), { method: 'post', headers, body }),
    await sandbox.fetch(url, { method: 'POST', headers: new Headers(headers), body }),
    await sandbox.fetch(url, { method: 'POST', headers, body: new TextEncoder().encode(body) }),
    await sandbox.fetch(new Request(url, { headers }), { method: 'POST', body }),
  ];
  for (const answer of answers) expect(await answer.json()).toMatchObject({ data: { name: 'From a Request' } });
});

test('does not process an aborted request', async () => {
  const { sandbox } = start();
  const signal = AbortSignal.abort();
  await expect(sandbox.fetch(`${origin}/crm/v1/deals/501`, { method: 'DELETE', signal })).rejects.toThrow(/abort/);
  expect(sandbox.requests).toEqual([]);
});
