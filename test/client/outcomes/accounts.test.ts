import { expect, test } from 'vitest';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { respond, serve } from '../../support/fault-server.ts';
import { clientOf, failureOf, silent } from './support.ts';

const advice = /create a client for each account, or set auth: null to send your own header/;
const ok = respond({ data: [] });

/** Passes an option like an untyped program. */
const untyped = (options: object): Partial<ClientOptions> => options;

test.each([
  ['baseUrl', { baseUrl: 'https://other.example' }],
  ['auth', { auth: { apiKey: 'k3y-of-another' } }],
  ['both', { baseUrl: 'https://other.example', auth: { apiKey: 'k3y-of-another' } }],
  ['allowInsecureHttp', { allowInsecureHttp: true }],
])('withOptions refuses %s, so that no credential is sent to another host', async (_, changes) => {
  const { url, received } = await serve(ok);
  const api = clientOf(url);
  expect(() => api.withOptions(untyped(changes))).toThrow(
    /withOptions cannot change the option '\w+': create another client/,
  );
  expect(received).toEqual([]);
});

test("withOptions accepts a client's own options with changes", async () => {
  const { url, received } = await serve(ok);
  const options = { baseUrl: url, auth: { apiKey: 'k3y-value' }, logger: silent };
  const api = createClient(options).withOptions(untyped({ ...options, timeout: 5_000 }));
  await api.crm.users.list();
  expect(received[0]?.headers.authorization).toBe('Bearer k3y-value');
});

test.each(['authorization', 'Authorization'])(
  'throws for the header %s in a client, withOptions, a call or a hook',
  async (name) => {
    const { url, received } = await serve(ok);
    const headers = { [name]: 'Bearer k3y-of-another' };
    const hook = { onRequest: (request: { headers: Headers }) => request.headers.set(name, 'Bearer k3y-of-another') };
    expect(() => clientOf(url, { headers })).toThrow(advice);
    expect(() => clientOf(url).withOptions({ headers })).toThrow(advice);
    for (const call of [
      clientOf(url).crm.users.list({ headers }),
      clientOf(url).crm.GET('/users', { headers }),
      clientOf(url, { middleware: [hook] }).crm.users.list(),
      clientOf(url, { middleware: [hook], auth: { getToken: () => 't0ken' } }).crm.users.list(),
    ]) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ sent: 'no', attempts: 0, operationId: 'listUsers' });
      expect(String(error)).toMatch(advice);
      expect(String(error)).not.toContain('k3y-of-another');
    }
    expect(received).toEqual([]);
  },
);

test('with auth: null, sends that header from a client, withOptions, a call or a hook', async () => {
  const { url, received } = await serve(ok);
  const headers = { Authorization: 'Bearer own' };
  const hook = { onRequest: (request: { headers: Headers }) => request.headers.set('authorization', 'Bearer own') };
  await clientOf(url, { auth: null, headers }).crm.users.list();
  await clientOf(url, { auth: null }).withOptions({ headers }).crm.users.list();
  await clientOf(url, { auth: null }).crm.users.list({ headers });
  await clientOf(url, { auth: null, middleware: [hook] }).crm.users.list();
  expect(received.map((request) => request.headers.authorization)).toEqual(Array(4).fill('Bearer own'));
});

test('reusing an options object for another account does not change existing clients', async () => {
  const [first, second] = [await serve(ok), await serve(ok)];
  const options = { baseUrl: first.url, auth: { apiKey: 'k3y-of-one' }, logger: silent };
  const api = createClient(options);
  Object.assign(options, { baseUrl: second.url, auth: { apiKey: 'k3y-of-two' } });
  await api.withOptions({ timeout: 5_000 }).crm.users.list();
  expect(first.received[0]?.headers.authorization).toBe('Bearer k3y-of-one');
  expect(second.received).toEqual([]);
});

test('a header overrides another in any case, and as Headers', async () => {
  const { url, received } = await serve(ok);
  const api = clientOf(url, { auth: null, headers: { 'X-Account': 'one' } });
  const two = api.withOptions({ headers: { 'x-account': 'two' } });
  const headers = new Headers({ 'X-ACCOUNT': 'three' }) as unknown as Record<string, string>;
  for (const client of [api, two, two.withOptions({ headers }), two.withOptions({ headers }).withOptions({})]) {
    await client.crm.users.list();
  }
  expect(received.map((request) => request.headers['x-account'])).toEqual(['one', 'two', 'three', 'three']);
});

test.each([
  ['a list', [['authorization', 'Bearer other']]],
  ['a map', new Map([['authorization', 'Bearer other']])],
  ['a text', 'authorization: Bearer other'],
  ['a header that is an object', { 'x-account': { id: 1 } }],
])('throws for headers of a client that are %s', (_, headers) => {
  expect(() => clientOf('https://api.example.com', untyped({ headers }))).toThrow(/^(headers must be|The header)/);
});

test.each([[{}], [[null]], [['x']]])('throws for middleware %j on creation of the client', (middleware) => {
  expect(() => clientOf('https://api.example.com', untyped({ middleware }))).toThrow(/^middleware must be a list/);
});
