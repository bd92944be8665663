import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createClient } from '../../src/index.ts';
import { answerJson, listen } from '../support/server.ts';

// Retries wait in real time; `retry.test.ts` holds their rules.
const options = { auth: { apiKey: 'k3y-s3cret' }, logger: { warn: () => undefined }, maxRetries: 0 };
const deal = { params: { path: { dealId: 501 } } };

test('a call carries the key, the base path of its spec and the path prefix of baseUrl', async () => {
  const { url, received } = await listen((_, response) => answerJson(response, { data: { id: 501 } }));
  const api = createClient({ ...options, baseUrl: `${url}/prefix/` });
  const { data, response } = await api.crm.GET('/deals/{dealId}', deal);
  expect(data).toEqual({ id: 501 });
  expect(response.status).toBe(200);
  expect(received[0]).toMatchObject({ method: 'GET', url: '/prefix/crm/v1/deals/501' });
  expect(received[0]?.headers.authorization).toBe('Bearer k3y-s3cret');
});

test('the token operation stands at the root and carries no credential', async () => {
  const { url, received } = await listen((_, response) =>
    answerJson(response, { access_token: 't', token_type: 'Bearer', expires_in: 3600 }),
  );
  const api = createClient({ ...options, baseUrl: url });
  await api.crm.POST('/oauth/access_token', { body: { grant_type: 'client_credentials' } });
  expect(received[0]?.url).toBe('/oauth/access_token');
  expect(received[0]?.headers.authorization).toBeUndefined();
});

test('client credentials: one token request for many calls, as JSON, and the token in every call', async () => {
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

test('a 401 replaces the token and repeats the call once, body included', async () => {
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

test('getToken is asked anew with forceRefresh after a 401', async () => {
  const getToken = vi.fn(({ forceRefresh }: { forceRefresh: boolean }) => (forceRefresh ? 'new' : 'old'));
  const { url } = await listen((request, response) =>
    answerJson(response, { data: [] }, request.headers.authorization === 'Bearer new' ? 200 : 401),
  );
  const { data } = await createClient({ ...options, baseUrl: url, auth: { getToken } }).crm.GET('/users');
  expect(data).toEqual([]);
  expect(getToken.mock.calls.map(([request]) => request.forceRefresh)).toEqual([false, true]);
});

test.each([
  ['a line break', () => 'a\r\nX-Admin: 1', /visible ASCII/],
  ['nothing', () => '', /visible ASCII/],
  ['an exception', () => Promise.reject(new Error('vault sealed')), /getToken failed/],
])('getToken that gives %s is a TokenError, and nothing is sent', async (_, getToken, message) => {
  const { url, received } = await listen((_request, response) => answerJson(response, {}));
  const api = createClient({ ...options, baseUrl: url, auth: { getToken } });
  await expect(api.crm.GET('/users')).rejects.toMatchObject({
    name: 'TokenError',
    message: expect.stringMatching(message),
  });
  expect(received).toHaveLength(0);
});

test.each<[string, number, Record<string, string>, string]>([
  ['refuses', 400, {}, '{"message":"bad client s3cret"}'],
  ['redirects', 307, { location: 'https://elsewhere.example.com/' }, ''],
  ['answers HTML', 200, { 'content-type': 'text/html' }, '<html>'],
  ['answers without a token', 200, {}, '{}'],
  ['answers a token with a line break', 200, {}, '{"access_token":"a\\nb","expires_in":3600}'],
])('a token endpoint that %s is a TokenError without the secret', async (_, status, headers, body) => {
  const { url, received } = await listen((_request, response) => response.writeHead(status, headers).end(body));
  const api = createClient({ ...options, baseUrl: url, auth: { clientId: 'id', clientSecret: 's3cret' } });
  const error: unknown = await api.crm.GET('/users').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'TokenError', sent: 'no' });
  expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
  expect(received.map((request) => request.url)).toEqual(['/oauth/access_token']);
});

test('a failure under a 2xx is an error that keeps the real status', async () => {
  const { url } = await listen((_, response) => answerJson(response, { message: '3093', error_code: 422 }));
  const { error } = await createClient({ ...options, baseUrl: url }).messaging.POST('/msgr', {
    body: { message_type: 2, sender_id: 5, message_live_time: 60, send_date: 'now', message: 'Hello' },
  });
  expect(error).toMatchObject({ name: 'ApiError', status: 200, code: '3093' });
});

test('a failure with an empty body or with text is an error all the same', async () => {
  const { url } = await listen((request, response) =>
    response.writeHead(500).end(request.url?.includes('users') ? '' : 'down'),
  );
  const api = createClient({ ...options, baseUrl: url });
  expect((await api.crm.GET('/users')).error).toMatchObject({ name: 'ServerError', status: 500, body: undefined });
  expect((await api.crm.GET('/boards')).error).toMatchObject({ body: 'down' });
});

test.each([
  ['HTML', { 'content-type': 'text/html' }, '<html>'],
  ['cut-off JSON', { 'content-type': 'application/json' }, '{"data": [1, '],
])('%s under a 200 throws a ResponseError that keeps the body out of sight', async (_, headers, body) => {
  const { url } = await listen((_request, response) => response.writeHead(200, headers).end(body));
  const error: unknown = await createClient({ ...options, baseUrl: url })
    .crm.GET('/users')
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toMatchObject({ name: 'ResponseError', status: 200, operationId: 'listUsers', body, sent: 'yes' });
  expect(inspect(error)).not.toContain(body);
});

test('a redirect is not followed: neither credential nor body reach another address', async () => {
  const other = await listen((_, response) => answerJson(response, { data: [] }));
  const { url } = await listen((_, response) => response.writeHead(307, { location: `${other.url}/users` }).end());
  await expect(createClient({ ...options, baseUrl: url }).crm.GET('/users')).rejects.toMatchObject({
    name: 'ResponseError',
    status: 307,
  });
  expect(other.received).toHaveLength(0);
});

test('a drifted reply gives the whole body and one warning', async () => {
  const { url } = await listen((_, response) => answerJson(response, { items: [] }));
  const warn = vi.fn();
  const { data } = await createClient({ ...options, baseUrl: url, logger: { warn } }).crm.GET('/users');
  expect(data).toEqual({ items: [] });
  expect(warn.mock.calls).toEqual([
    ["carillon: the reply to GET /users has no 'data'; the whole body is given instead"],
  ]);
});

test('a body where none is documented is ignored, whatever it is', async () => {
  const { url } = await listen((_, response) => response.writeHead(201).end('created!'));
  const { data, error } = await createClient({ ...options, baseUrl: url }).crm.POST(
    '/deals/{dealId}/contacts/{contactId}',
    {
      params: { path: { dealId: 501, contactId: 3001 } },
    },
  );
  expect([data, error]).toEqual([undefined, undefined]);
});

test('the deadline covers a body that never ends, and tells that the service has answered', async () => {
  const { url } = await listen((_, response) => response.writeHead(200).write('{"data":'));
  const call = createClient({ ...options, baseUrl: url }).crm.GET('/users', { timeout: 50 });
  await expect(call).rejects.toMatchObject({ name: 'DeadlineError', sent: 'yes' });
});

test('the deadline covers an answer that never comes, also with a fetch that ignores the signal', async () => {
  const fetch = () => new Promise<Response>(() => undefined);
  const api = createClient({ ...options, baseUrl: 'https://api.example.com', fetch, timeout: 20 });
  await expect(api.crm.GET('/users')).rejects.toMatchObject({ name: 'DeadlineError', sent: 'maybe' });
});

test('an abort rethrows its reason, before and during a call', async () => {
  const { url, received } = await listen(() => controller.abort(new Error('changed my mind')));
  const controller = new AbortController();
  const api = createClient({ ...options, baseUrl: url });
  await expect(api.crm.GET('/users', { signal: controller.signal })).rejects.toThrow('changed my mind');
  await expect(api.crm.GET('/users', { signal: controller.signal })).rejects.toThrow('changed my mind');
  expect(received).toHaveLength(1);
});

test('a refused connection was certainly not sent, a reset one may have been', async () => {
  const { url } = await listen((_, response) => response.destroy());
  await expect(createClient({ ...options, baseUrl: url }).crm.GET('/users')).rejects.toMatchObject({
    name: 'ConnectionError',
    sent: 'maybe',
  });
  const closed = await listen(() => undefined);
  const port = new URL(closed.url).port;
  const { createServer } = await import('node:net');
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const address = free.address();
  await new Promise((resolve) => free.close(resolve));
  if (address === null || typeof address === 'string') return expect.unreachable();
  expect(String(address.port)).not.toBe(port);
  const refused = createClient({ ...options, baseUrl: `http://127.0.0.1:${address.port}` });
  await expect(refused.crm.GET('/users')).rejects.toMatchObject({ name: 'ConnectionError', sent: 'no' });
});

test('an unknown operation and an unsafe path value are refused before anything is sent', async () => {
  const { url, received } = await listen((_, response) => answerJson(response, {}));
  const api = createClient({ ...options, baseUrl: url });
  // @ts-expect-error: no such path
  await expect(api.crm.GET('/nothing')).rejects.toMatchObject({ name: 'ArgumentError' });
  // @ts-expect-error: an integer is wanted
  await expect(api.crm.GET('/deals/{dealId}', { params: { path: { dealId: '..' } } })).rejects.toMatchObject({
    name: 'ArgumentError',
  });
  expect(received).toHaveLength(0);
});

test('text in a path is encoded', async () => {
  const { url, received } = await listen((_, response) => answerJson(response, {}));
  await createClient({ ...options, baseUrl: url }).email.GET('/smtp/emails/{id}', {
    params: { path: { id: 'a/b?c#d%' } },
  });
  expect(received[0]?.url).toBe('/smtp/emails/a%2Fb%3Fc%23d%25');
});

test('headers of a call go over those of the client, and withOptions keeps the token', async () => {
  const { url, received } = await listen((request, response) =>
    answerJson(
      response,
      request.url === '/oauth/access_token' ? { access_token: 't', expires_in: 3600 } : { data: [] },
    ),
  );
  const api = createClient({
    ...options,
    baseUrl: url,
    auth: { clientId: 'i', clientSecret: 's' },
    headers: { 'X-Team': 'a', 'X-App': 'one' },
  });
  await api.crm.GET('/users');
  await api.withOptions({ headers: { 'X-App': 'two' } }).crm.GET('/users', { headers: { 'X-Team': 'b' } });
  const calls = received.filter((request) => request.url === '/crm/v1/users');
  expect(calls.map(({ headers }) => [headers['x-team'], headers['x-app']])).toEqual([
    ['a', 'one'],
    ['b', 'two'],
  ]);
  expect(received).toHaveLength(3);
});

test('no output of a client shows its credential', () => {
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { clientId: 'id', clientSecret: 's3cret' } });
  expect(inspect(api, { depth: 9, showHidden: true }) + JSON.stringify(api)).not.toContain('s3cret');
});
