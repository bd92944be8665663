import { expect, test } from 'vitest';
import { type ClientOptions, createClient } from '../../src/index.ts';
import { reply, serve } from '../support/fault-server.ts';
import { clientOf, failureOf, silent } from './support.ts';

const advice = /create a client for each account, or set auth: null to send your own header/;
const ok = reply({ data: [] });

/** An option as a program without types gives it. */
const untyped = (options: object): Partial<ClientOptions> => options;

test.each([
  ['baseUrl', { baseUrl: 'https://other.example' }],
  ['auth', { auth: { apiKey: 'k3y-of-another' } }],
  ['both', { baseUrl: 'https://other.example', auth: { apiKey: 'k3y-of-another' } }],
  ['allowInsecureHttp', { allowInsecureHttp: true }],
])('withOptions refuses %s, so that no credential reaches another host', async (_, changes) => {
  const { url, received } = await serve(ok);
  const api = clientOf(url);
  expect(() => api.withOptions(untyped(changes))).toThrow(/withOptions cannot change \w+: create a client/);
  expect(received).toEqual([]);
});

test('withOptions takes the options of the client themselves, with changes', async () => {
  const { url, received } = await serve(ok);
  const options = { baseUrl: url, auth: { apiKey: 'k3y-value' }, logger: silent };
  const api = createClient(options).withOptions(untyped({ ...options, timeout: 5_000 }));
  await api.crm.users.list();
  expect(received[0]?.headers.authorization).toBe('Bearer k3y-value');
});

test.each(['authorization', 'Authorization'])(
  'the header %s of a client, of withOptions, of a call and of a hook is refused',
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
      expect(error).toMatchObject({ sent: 'no', tries: 0, operationId: 'listUsers' });
      expect(String(error)).toMatch(advice);
      expect(String(error)).not.toContain('k3y-of-another');
    }
    expect(received).toEqual([]);
  },
);

test('with auth: null the header of a client, of withOptions, of a call and of a hook is sent', async () => {
  const { url, received } = await serve(ok);
  const headers = { Authorization: 'Bearer own' };
  const hook = { onRequest: (request: { headers: Headers }) => request.headers.set('authorization', 'Bearer own') };
  await clientOf(url, { auth: null, headers }).crm.users.list();
  await clientOf(url, { auth: null }).withOptions({ headers }).crm.users.list();
  await clientOf(url, { auth: null }).crm.users.list({ headers });
  await clientOf(url, { auth: null, middleware: [hook] }).crm.users.list();
  expect(received.map((request) => request.headers.authorization)).toEqual(Array(4).fill('Bearer own'));
});
