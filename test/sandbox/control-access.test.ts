import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { start } from './support.ts';

type Headers = Record<string, string>;

/** Serves a sandbox, and sends requests like browsers and other programs, with any host name and origin. */
async function served(control: NonNullable<SandboxOptions['control']>, listen: 'plain' | 'fetch' = 'plain') {
  const { sandbox } = start({ control });
  const { fetch } = sandbox;
  const server = await serve(listen === 'plain' ? sandbox : { fetch }, { port: 0 });
  onTestFinished(() => server.close());
  const { port } = new URL(server.url);
  const call = (method: string, path: string, headers: Headers = {}, body = '{}') =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method, path, headers, timeout: 10_000 });
      sent.on('error', reject).on('response', async (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) });
      });
      sent.end(method === 'GET' ? undefined : body);
    });
  return { sandbox, call, port };
}

const isReset = (sandbox: Sandbox): boolean => sandbox.state.crm.deals.has(501);

const attacks: [name: string, headers: (port: string) => Headers][] = [
  ['DNS rebinding', (port) => ({ host: `rebound.example:${port}`, origin: `http://rebound.example:${port}` })],
  ['DNS rebinding without an origin', (port) => ({ host: `rebound.example:${port}` })],
  ['a host that begins like this machine', () => ({ host: 'localhost.rebound.example' })],
  ['a host that begins like its address', () => ({ host: '127.0.0.1.rebound.example' })],
  ['a simple POST of a page elsewhere', () => ({ origin: 'https://evil.example', 'content-type': 'text/plain' })],
  ['a page without an origin of its own', () => ({ origin: 'null' })],
  [
    'a page at another port of this machine',
    () => ({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }),
  ],
  ['a request of a page that hides its origin', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['an origin that is no URL', () => ({ origin: 'evil' })],
  ['a host that is no host', () => ({ host: 'a b' })],
];

test.each(attacks)('rejects control by a page: %s', async (_, headers) => {
  for (const listen of ['plain', 'fetch'] as const) {
    const { sandbox, call, port } = await served(true, listen);
    sandbox.state.crm.deals.delete(501);
    const response = await call('POST', '/__sandbox/reset', headers(port));
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    expect((await call('GET', '/__sandbox/requests', headers(port))).status).toBe(403);
    expect(isReset(sandbox)).toBe(false);
  }
});

test.each<[string, (port: string) => Headers]>([
  ['a program', () => ({})],
  ['localhost', (port) => ({ host: `localhost:${port}` })],
  ['a name below localhost', () => ({ host: 'app.localhost' })],
  ['IPv6', () => ({ host: '[::1]:4012' })],
  [
    'its own page',
    (port) => ({ host: `localhost:${port}`, origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' }),
  ],
  ['its own page, reading', () => ({ 'sec-fetch-site': 'same-origin' })],
  ['an address typed into the browser', () => ({ 'sec-fetch-site': 'none' })],
])('allows control by %s', async (_, headers) => {
  const { call, port } = await served(true);
  expect((await call('GET', '/__sandbox/clock', headers(port))).status).toBe(200);
  expect((await call('POST', '/__sandbox/reset', headers(port))).status).toBe(204);
});

test('allows control by a page of a listed origin, and still rejects others', async () => {
  const origin = 'http://localhost:3000';
  for (const listen of ['plain', 'fetch'] as const) {
    const { call } = await served({ origins: [`${origin}/`] }, listen);
    const { status, headers } = await call('GET', '/__sandbox/clock', { origin, 'sec-fetch-site': 'same-site' });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, origin]);
    expect((await call('GET', '/__sandbox/clock', { origin: 'http://localhost:3001' })).status).toBe(403);
  }
});

test('with a token, accepts any host name, but no request without the token', async () => {
  const { call } = await served({ token: 'open-sesame' });
  const host = 'sandbox:4012';
  const status = async (headers: Headers) => (await call('GET', '/__sandbox/clock', { host, ...headers })).status;
  expect(await status({})).toBe(401);
  for (const authorization of [
    'Bearer ',
    'Bearer open-sesam',
    'Bearer open-sesame2',
    'open-sesame',
    'Bearer open-sesamE',
  ])
    expect(await status({ authorization })).toBe(401);
  const authorization = 'Bearer open-sesame';
  expect(await status({ authorization })).toBe(200);
  expect(await status({ authorization, origin: `http://${host}` })).toBe(200);
  expect(await status({ authorization, origin: 'http://evil.example' })).toBe(403);
});

test('other responses are readable by pages of every origin', async () => {
  const { call } = await served(true);
  const { headers } = await call('GET', '/crm/v1/users', {
    origin: 'http://localhost:3000',
    authorization: 'Bearer a',
  });
  expect(headers['access-control-allow-origin']).toBe('*');
});

test('rejects an invalid allowed origin at once', () => {
  expect(() => start({ control: { origins: ['localhost'] } })).toThrow(/origin/);
});
