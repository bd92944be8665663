import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClientOptions, HookAttempt, HookRequest, Middleware } from '../../../src/client/index.ts';
import { credentials, setUp } from './hooked-client.ts';

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test.each<[string, Partial<ClientOptions>, string | null]>([
  ['an API key', {}, 'Bearer k3y-value'],
  ['client credentials', { auth: credentials }, 'Bearer t0ken-value'],
  ['a function', { auth: { getToken: () => 'fr0m-vault' } }, 'Bearer fr0m-vault'],
  ['a header of its own', { auth: null, headers: { Authorization: 'Basic 0wn-value' } }, 'Basic 0wn-value'],
  ['nothing, behind a proxy', { auth: null }, null],
])('hides the credential of %s from every hook at every moment, and sends it', async (_, options, credential) => {
  const kept: (HookRequest | HookAttempt | HookAttempt['headers'] | Headers)[] = [];
  const show = (request: HookRequest | HookAttempt): void => void kept.push(request, request.headers);
  const spy: Middleware = {
    onRequest: show,
    onResponse: (request, response) => {
      show(request);
      kept.push(response.headers);
    },
    onError: show,
  };
  const { api, sent } = setUp([spy], { showBodies: true, ...options }, [
    () => {
      throw new Error('reset');
    },
  ]);
  await api.crm.deals.get({ dealId: 501 });
  expect(sent.at(-1)?.headers.get('Authorization')).toBe(credential);
  expect(kept.length).toBeGreaterThan(0);
  const shown = JSON.stringify(kept.map((value) => (value instanceof Headers ? [...value] : value)));
  expect(shown).not.toMatch(/k3y-value|t0ken-value|fr0m-vault|0wn-value|cl13nt-s3cret|authorization/i);
});

test.each(['onResponse', 'onError'] as const)(
  'a hook that requests headers only in %s sees no credential',
  async (name) => {
    const shown: HookAttempt['headers'][] = [];
    const spy: Middleware = { [name]: ({ headers }: HookAttempt) => void shown.push(headers) };
    const fail = (): never => {
      throw new Error('reset');
    };
    const { api } = setUp([spy], {}, [fail]);
    await api.crm.deals.get({ dealId: 501 });
    expect(shown).toEqual([{ accept: 'application/json' }]);
  },
);

test('a hook may set the credential if the client has none, and other hooks do not see it', async () => {
  const sign: Middleware = { onRequest: ({ headers }) => headers.set('Authorization', 'Signature abc') };
  const shown: unknown[] = [];
  const { api, sent } = setUp(
    [
      sign,
      {
        onRequest: ({ headers }) => void shown.push(headers.has('Authorization')),
        onResponse: ({ headers }) => void shown.push('authorization' in headers),
      },
    ],
    { auth: null },
  );
  await api.crm.deals.get({ dealId: 501 });
  expect(sent[0]?.headers.get('Authorization')).toBe('Signature abc');
  expect(shown).toEqual([false, false]);
});

test.each([
  [false, [undefined, undefined]],
  [true, ['{"pipelineId":1,"stepId":11,"name":"Renewal"}', '{"data":{"id":501}}']],
])('hides bodies by default: with showBodies %j, hooks see %j', async (showBodies, expected) => {
  const bodies: unknown[] = [];
  const spy: Middleware = {
    onRequest: ({ body }) => void bodies.push(body),
    onResponse: (_, { body }) => void bodies.push(body),
  };
  const { api } = setUp([spy], { showBodies });
  await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' });
  expect(bodies).toEqual(expected);
});

test('never shows the bodies of the token operation, whoever calls it', async () => {
  const shown: string[] = [];
  const spy: Middleware = {
    onRequest: (request) => void shown.push(JSON.stringify(request)),
    onResponse: (request, response) => void shown.push(JSON.stringify([request, response])),
  };
  const { api } = setUp([spy], { auth: credentials, showBodies: true });
  await api.crm.deals.get({ dealId: 501 });
  await api.crm.oauth.createToken({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  });
  expect(shown.filter((text) => text.includes('createToken'))).toHaveLength(4);
  expect(shown.join()).not.toMatch(/cl13nt-s3cret|t0ken-value/);
});
