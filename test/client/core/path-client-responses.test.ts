import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { reset, serve, status } from '../../support/fault-server.ts';
import { answerJson, listen } from '../../support/server.ts';
import { clientOf } from '../outcomes/support.ts';

// Retries wait in real time. `retry.test.ts` tests their rules.
const options = { auth: { apiKey: 'k3y-s3cret' }, logger: { warn: () => undefined }, maxRetries: 0 };

test.each([
  ['a line break', () => 'a\r\nX-Admin: 1', /visible ASCII/],
  ['nothing', () => '', /visible ASCII/],
  ['an exception', () => Promise.reject(new Error('vault sealed')), /getToken failed/],
])('a getToken that returns %s causes a TokenError, and no request is sent', async (_, getToken, message) => {
  const { url, received } = await listen((_request, response) => answerJson(response, {}));
  const api = createClient({ ...options, baseUrl: url, auth: { getToken } });
  await expect(api.crm.GET('/users')).rejects.toMatchObject({
    name: 'TokenError',
    message: expect.stringMatching(message),
  });
  expect(received).toHaveLength(0);
});

test.each<[string, number, Record<string, string>, string]>([
  ['refuses', 400, {}, '{"message":"bad client s3cret-k3y"}'],
  ['redirects', 307, { location: 'https://elsewhere.example.com/' }, ''],
  ['answers HTML', 200, { 'content-type': 'text/html' }, '<html>'],
  ['answers without a token', 200, {}, '{}'],
  ['answers a token with a line break', 200, {}, '{"access_token":"a\\nb","expires_in":3600}'],
])('a token endpoint that %s causes a TokenError without the secret', async (_, status, headers, body) => {
  const { url, received } = await listen((_request, response) => response.writeHead(status, headers).end(body));
  const api = createClient({ ...options, baseUrl: url, auth: { clientId: 'id', clientSecret: 's3cret-k3y' } });
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
    body: {
      message_type: 2,
      sender_id: 5,
      message_live_time: 60,
      send_date: 'now',
      address_book: 4400,
      message: 'Hello',
    },
  });
  expect(error).toMatchObject({ name: 'ApiError', status: 200, code: '3093' });
});

test('a failure with an empty or text body is still an error', async () => {
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
])('%s under a 200 throws a ResponseError that hides the body from output', async (_, headers, body) => {
  const { url } = await listen((_request, response) => response.writeHead(200, headers).end(body));
  const error: unknown = await createClient({ ...options, baseUrl: url })
    .crm.GET('/users')
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toMatchObject({ name: 'ResponseError', status: 200, operationId: 'listUsers', body, sent: 'maybe' });
  expect(inspect(error)).not.toContain(body);
});

test.each([300, 301, 307])(
  'does not follow a redirect with status %i, so neither credential nor body reach another address',
  async (status) => {
    const other = await listen((_, response) => answerJson(response, { data: [] }));
    const { url } = await listen((_, response) => response.writeHead(status, { location: `${other.url}/users` }).end());
    await expect(createClient({ ...options, baseUrl: url }).crm.GET('/users')).rejects.toMatchObject({
      name: 'ResponseError',
      status,
    });
    expect(other.received).toHaveLength(0);
  },
);

test('returns the whole body of a drifted response with one warning', async () => {
  const { url } = await listen((_, response) => answerJson(response, { items: [] }));
  const warn = vi.fn();
  const api = createClient({ ...options, baseUrl: url, logger: { warn } });
  const { data } = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  expect(data).toEqual({ items: [] });
  expect(warn.mock.calls).toEqual([
    [
      "carillon: the response to GET /deals/{dealId} (getDeal) has no 'data', so data is the whole body",
      { operationId: 'getDeal', status: 200 },
    ],
  ]);
});

test('a DELETE answered with 404 after a lost response returns that response, but no error', async () => {
  const { url } = await serve(reset, status(404));
  const { data, error, meta, response } = await clientOf(url).crm.DELETE('/deals/{dealId}', {
    params: { path: { dealId: 501 } },
  });
  expect([data, error, meta, response.status]).toEqual([undefined, undefined, undefined, 404]);
});
