import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { ListenError } from '../../src/shared/server/listen-error.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { deal } from './raw.ts';
import { start } from './support.ts';

const local = { port: 0, host: '127.0.0.1' };
/** The command serves the sandbox itself, and `npm start` serves its `fetch`. */
const servers = {
  'carillon-sandbox': (sandbox: Sandbox) => serve(sandbox, local),
  'npm start': ({ fetch }: Sandbox) => serve({ fetch }, local),
};
const both = Object.entries(servers);
const headers = { authorization: 'Bearer any' };
const signal = (): AbortSignal => AbortSignal.timeout(10_000);

async function serving(listen: (typeof servers)['npm start']): Promise<{ sandbox: Sandbox; url: string }> {
  const { sandbox } = start({ control: true });
  const server = await listen(sandbox);
  onTestFinished(() => server.close());
  return { sandbox, url: server.url };
}

function create(url: string): Promise<Response> {
  return fetch(`${url}/crm/v1/deals`, { method: 'POST', headers, body: JSON.stringify(deal), signal: signal() });
}

test.each(both)('%s: a client works as with the service', async (_, listen) => {
  const { url } = await serving(listen);
  const api = createClient({ baseUrl: url, auth: { clientId: 'shop', clientSecret: 'hush' } });
  const { id } = await api.crm.deals.create({ ...deal, name: 'Поновлення ✓' });
  expect(await api.crm.deals.get({ dealId: id })).toMatchObject({ name: 'Поновлення ✓' });
  await api.crm.deals.delete({ dealId: id });
  await expect(api.crm.deals.get({ dealId: id })).rejects.toMatchObject({ status: 404 });
});

test.each(both)('%s: a fault answers with status, headers and body', async (_, listen) => {
  const { sandbox, url } = await serving(listen);
  sandbox.faults.add({ status: 503, headers: { 'retry-after': '7' }, body: { message: 'Later' } });
  const response = await create(url);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
  expect(await response.json()).toEqual({ message: 'Later' });
});

for (const [name, listen] of both) {
  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)(
    `${name}: resets a connection that drops %s the request is processed, and creates %i deals`,
    async (drop, more) => {
      const { sandbox, url } = await serving(listen);
      const before = sandbox.state.crm.deals.size;
      sandbox.faults.add({ drop });
      await expect(create(url)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
      expect(sandbox.state.crm.deals.size).toBe(before + more);
      expect((await create(url)).ok).toBe(true);
    },
  );

  test.each([
    ['before', true],
    ['after', false],
  ] as const)(`${name}: a caller can leave during a delay %s the operation`, async (delayAt, isKept) => {
    const { sandbox, url } = await serving(listen);
    sandbox.faults.add({ delay: 1_000_000, delayAt });
    const caller = new AbortController();
    const call = fetch(`${url}/crm/v1/deals/501`, { method: 'DELETE', headers, signal: caller.signal });
    await expect.poll(() => sandbox.requests.length, { timeout: 10_000, interval: 5 }).toBe(1);
    caller.abort();
    await expect(call).rejects.toThrow(/abort/);
    expect(sandbox.state.crm.deals.has(501)).toBe(isKept);
  });
}

test.each(both)('%s: pages of every origin can call it and read all headers', async (_, listen) => {
  const { url } = await serving(listen);
  const asked = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' };
  const preflight = await fetch(`${url}/crm/v1/deals/501`, { method: 'OPTIONS', headers: asked, signal: signal() });
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'authorization']);
  const response = await fetch(`${url}/crm/v1/users`, { headers, signal: signal() });
  for (const name of ['access-control-allow-origin', 'access-control-expose-headers'])
    expect([preflight.headers.get(name), response.headers.get(name)]).toEqual(['*', '*']);
});

test.each(both)('%s: can be controlled over HTTP', async (_, listen) => {
  const { sandbox, url } = await serving(listen);
  const init = { method: 'POST', body: JSON.stringify({ seed: 50 }), signal: signal() };
  const before = sandbox.state.crm.contacts.size;
  expect((await fetch(`${url}/__sandbox/reset`, init)).status).toBe(204);
  expect(sandbox.state.crm.contacts.size).toBe(before + 50);
});

test.each(both)('%s: leading slashes are part of the path, not a host', async (_, listen) => {
  const { url } = await serving(listen);
  const { hostname, port } = new URL(url);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = request({ hostname, port, path: '//crm/v1//users', headers, timeout: 10_000 });
    call.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    call.end();
  });
  expect(status).toBe(200);
});

test('rejects a body that is too large with status 413', async () => {
  const { url } = await serving(servers['carillon-sandbox']);
  const body = new Uint8Array(16 * 1024 * 1024 + 1);
  // The server does not read the rest of the body. The caller sees the response or a closed connection.
  const status = await fetch(url, { method: 'POST', body, signal: signal() }).then(
    (response) => response.status,
    (error: Error) => error.message,
  );
  expect([413, 'fetch failed']).toContain(status);
});

test('answers an internal failure with status 500 and logs it on the console', async () => {
  const told: unknown[] = [];
  const { error } = console;
  console.error = (...args) => told.push(...args);
  onTestFinished(() => {
    console.error = error;
  });
  const server = await serve({ respond: () => Promise.reject(new Error('A handler is broken')) }, local);
  onTestFinished(() => server.close());
  const response = await fetch(`${server.url}/crm/v1/users?token=secret`, { signal: signal() });
  expect([response.status, await response.json()]).toMatchObject([
    500,
    { title: 'Internal Server Error', detail: 'The server failed: A handler is broken' },
  ]);
  expect(told).toEqual(['GET /crm/v1/users failed: A handler is broken']);
});

test.each(both)('%s: a fault may set the content type, in any case', async (_, listen) => {
  const { sandbox, url } = await serving(listen);
  sandbox.faults.add({ status: 503, body: 'busy', headers: { 'Content-Type': 'text/x-busy', 'Retry-After': '7' } });
  const response = await create(url);
  expect([response.status, await response.text()]).toEqual([503, '"busy"']);
  expect([response.headers.get('content-type'), response.headers.get('retry-after')]).toEqual(['text/x-busy', '7']);
});

test('reports a busy port together with the option', async () => {
  const { url } = await serving(servers['carillon-sandbox']);
  const { sandbox } = start();
  const second = serve(sandbox, { ...local, port: Number(new URL(url).port) });
  await expect(second).rejects.toThrow(ListenError);
  await expect(second).rejects.toThrow(/in use.*--port/);
});

test.each(both)('%s: a body can begin with a byte order mark, as in fetch', async (_, listen) => {
  const { url } = await serving(listen);
  const body = '\ufeff{"pipelineId":1,"stepId":11,"name":"Marked"}';
  const response = await fetch(`${url}/crm/v1/deals`, { method: 'POST', headers, body, signal: signal() });
  expect(response.status).toBe(200);
});
