import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { answerJson, listen } from '../../support/server.ts';

// Retries wait in real time. `retry.test.ts` tests their rules.
const options = { auth: { apiKey: 'k3y-s3cret' }, logger: { warn: () => undefined }, maxRetries: 0 };
const deal = { params: { path: { dealId: 501 } } };

test('the token operation is at the root and carries no credential', async () => {
  const { url, received } = await listen((_, response) =>
    answerJson(response, { access_token: 't', token_type: 'Bearer', expires_in: 3600 }),
  );
  const api = createClient({ ...options, baseUrl: url });
  await api.crm.POST('/oauth/access_token', { body: { grant_type: 'client_credentials' } });
  expect(received[0]?.url).toBe('/oauth/access_token');
  expect(received[0]?.headers.authorization).toBeUndefined();
});

test('a 401 of the token operation replaces no token of the client, because it was sent without one', async () => {
  const getToken = vi.fn(() => 'any');
  const { url, received } = await listen((_, response) => answerJson(response, { error: 'invalid_client' }, 401));
  const api = createClient({ ...options, baseUrl: url, auth: { getToken } });
  const { error } = await api.crm.POST('/oauth/access_token', { body: { grant_type: 'client_credentials' } });
  expect(error).toMatchObject({ status: 401 });
  expect(getToken).not.toHaveBeenCalled();
  expect(received).toHaveLength(1);
});

test('client credentials: sends one token request as JSON for many calls, and the token in every call', async () => {
  const { url, received } = await listen((request, response) =>
    request.url === '/oauth/access_token'
      ? answerJson(response, { access_token: 'fresh', token_type: 'Bearer', expires_in: 3600 })
      : answerJson(response, { data: { id: 501 } }),
  );
  const api = createClient({ ...options, baseUrl: url, auth: { clientId: 'id', clientSecret: 's3cret' } });
  await Promise.all(Array.from({ length: 20 }, () => api.crm.GET('/deals/{dealId}', deal)));
  const tokenRequests = received.filter((request) => request.url === '/oauth/access_token');
  expect(tokenRequests).toHaveLength(1);
  expect(JSON.parse(tokenRequests[0]?.body ?? '')).toEqual({
    grant_type: 'client_credentials',
    client_id: 'id',
    client_secret: 's3cret',
  });
  expect(received.filter((request) => request.headers.authorization === 'Bearer fresh')).toHaveLength(20);
});

test('a 401 replaces the token and repeats the call once, including the body', async () => {
  let issued = 0;
  const { url, received } = await listen((request, response) => {
    if (request.url === '/oauth/access_token') {
      issued += 1;
      return answerJson(response, { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 3600 });
    }
    if (request.headers.authorization === 'Bearer token-1') return answerJson(response, {}, 401);
    return answerJson(response, { data: { id: 501 } });
  });
  const api = createClient({ ...options, baseUrl: url, auth: { clientId: 'id', clientSecret: 's3cret' } });
  const { data } = await api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11 } });
  expect(data).toEqual({ id: 501 });
  expect(received.filter((request) => request.url === '/crm/v1/deals').map((request) => request.body)).toEqual([
    '{"pipelineId":1,"stepId":11}',
    '{"pipelineId":1,"stepId":11}',
  ]);
});

test.each([
  ['client credentials', { clientId: 'id', clientSecret: 's3cret' }, 2],
  ['a static key, which cannot change', { apiKey: 'key' }, 1],
  ['no credential of its own', null, 1],
])('an endless 401 is an AuthenticationError, with %s', async (_, auth, calls) => {
  let issued = 0;
  const { url, received } = await listen((request, response) => {
    issued += 1;
    if (request.url === '/oauth/access_token')
      return answerJson(response, { access_token: `token-${issued}`, expires_in: 3600 });
    return answerJson(response, { message: 'Unauthorized' }, 401);
  });
  const { error, data } = await createClient({ ...options, baseUrl: url, auth }).crm.GET('/users');
  expect(error?.name).toBe('AuthenticationError');
  expect(data).toBeUndefined();
  expect(received.filter((request) => request.url === '/crm/v1/users')).toHaveLength(calls);
});

test('uses getToken if the key is undefined, so that no request lacks a credential', async () => {
  const { url, received } = await listen((_, response) => answerJson(response, { data: [] }));
  const auth = { apiKey: process.env.CARILLON_TEST_UNSET as never, getToken: () => 'fr0m-vault' };
  await createClient({ ...options, baseUrl: url, auth }).crm.users.list();
  expect(received[0]?.headers.authorization).toBe('Bearer fr0m-vault');
});

test('calls getToken again with forceRefresh after a 401', async () => {
  const getToken = vi.fn(({ forceRefresh }: { forceRefresh: boolean }) => (forceRefresh ? 'new' : 'old'));
  const { url } = await listen((request, response) =>
    answerJson(response, { data: [] }, request.headers.authorization === 'Bearer new' ? 200 : 401),
  );
  const { data } = await createClient({ ...options, baseUrl: url, auth: { getToken } }).crm.GET('/users');
  expect(data).toEqual([]);
  expect(getToken.mock.calls.map(([request]) => request.forceRefresh)).toEqual([false, true]);
});

test('no output of a client shows its credential', () => {
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { clientId: 'id', clientSecret: 's3cret' } });
  expect(inspect(api, { depth: 9, showHidden: true }) + JSON.stringify(api)).not.toContain('s3cret');
});
