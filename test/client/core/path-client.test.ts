import { expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { refusedUrl } from '../../support/ports.ts';
import { answerJson, listen } from '../../support/server.ts';

// Retries wait in real time. `retry.test.ts` tests their rules.
const options = { auth: { apiKey: 'k3y-s3cret' }, logger: { warn: () => undefined }, maxRetries: 0 };
const deal = { params: { path: { dealId: 501 } } };

test("a call carries the key, its spec's base path and the path prefix of baseUrl", async () => {
  const { url, received } = await listen((_, response) => answerJson(response, { data: { id: 501 } }));
  const api = createClient({ ...options, baseUrl: `${url}/prefix/` });
  const { data, response } = await api.crm.GET('/deals/{dealId}', deal);
  expect(data).toEqual({ id: 501 });
  expect(response.status).toBe(200);
  expect(received[0]).toMatchObject({ method: 'GET', url: '/prefix/crm/v1/deals/501' });
  expect(received[0]?.headers.authorization).toBe('Bearer k3y-s3cret');
});

test('the deadline covers an endless body, and the error says that the service has answered', async () => {
  vi.useFakeTimers();
  const fetch = async () => new Response(new ReadableStream());
  const api = createClient({ ...options, baseUrl: 'https://api.example.com', fetch, timeout: 60_000 });
  const ended = expect(api.crm.GET('/users')).rejects.toMatchObject({ name: 'DeadlineError', sent: 'yes' });
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
});

test('the deadline covers a missing answer, even if fetch ignores the signal', async () => {
  vi.useFakeTimers();
  const fetch = () => new Promise<Response>(() => undefined);
  const api = createClient({ ...options, baseUrl: 'https://api.example.com', fetch, timeout: 60_000 });
  const ended = expect(api.crm.GET('/users')).rejects.toMatchObject({ name: 'DeadlineError', sent: 'maybe' });
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
});

test('an abort rejects with its reason, before and during a call', async () => {
  const { url, received } = await listen(() => controller.abort(new Error('changed my mind')));
  const controller = new AbortController();
  const api = createClient({ ...options, baseUrl: url });
  await expect(api.crm.GET('/users', { signal: controller.signal })).rejects.toThrow('changed my mind');
  await expect(api.crm.GET('/users', { signal: controller.signal })).rejects.toThrow('changed my mind');
  expect(received).toHaveLength(1);
});

test('a refused connection was certainly not sent, and a reset one may have been', async () => {
  const { url } = await listen((_, response) => response.destroy());
  await expect(createClient({ ...options, baseUrl: url }).crm.GET('/users')).rejects.toMatchObject({
    name: 'ConnectionError',
    sent: 'maybe',
  });
  const refused = createClient({ ...options, baseUrl: refusedUrl });
  await expect(refused.crm.GET('/users')).rejects.toMatchObject({ name: 'ConnectionError', sent: 'no' });
});

test('throws for an unknown operation and an unsafe path value before it sends a request', async () => {
  const { url, received } = await listen((_, response) => answerJson(response, {}));
  const api = createClient({ ...options, baseUrl: url });
  // @ts-expect-error: no such path
  await expect(api.crm.GET('/nothing')).rejects.toMatchObject({ name: 'ArgumentError' });
  // @ts-expect-error: no such path
  await expect(api.crm.POST('/nothing')).rejects.toMatchObject({ name: 'ArgumentError', sent: 'no' });
  // @ts-expect-error: an integer is wanted
  await expect(api.crm.GET('/deals/{dealId}', { params: { path: { dealId: '..' } } })).rejects.toMatchObject({
    name: 'ArgumentError',
  });
  expect(received).toHaveLength(0);
});

test('sends a date search term as text', async () => {
  const { url, received } = await listen((_, response) => answerJson(response, []));
  const query = { sender: 'ann@example.com', date_from: new Date(0) as never };
  await createClient({ ...options, baseUrl: url }).email.messages.list(query);
  const sent = new URL(received[0]?.url ?? '', url).searchParams;
  expect([...sent]).toEqual([
    ['sender', 'ann@example.com'],
    ['date_from', '1970-01-01T00:00:00.000Z'],
  ]);
});

test('encodes text in a path', async () => {
  const { url, received } = await listen((_, response) => answerJson(response, {}));
  await createClient({ ...options, baseUrl: url }).email.GET('/smtp/emails/{id}', {
    params: { path: { id: 'a/b?c#d%' } },
  });
  expect(received[0]?.url).toBe('/smtp/emails/a%2Fb%3Fc%23d%25');
});

test('headers of a call override those of the client, and withOptions keeps the token', async () => {
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

test('throws for a GET body before it sends a request', async () => {
  const { url, received } = await listen((_, response) => answerJson(response, { data: [] }));
  const init: object = { body: { name: 'Ann' } };
  const call = createClient({ ...options, baseUrl: url }).crm.GET('/users', init);
  await expect(call).rejects.toMatchObject({
    name: 'ArgumentError',
    message: 'GET /users: GET has no body; nothing was sent',
    sent: 'no',
    operationId: 'listUsers',
  });
  expect(received).toEqual([]);
});

test("a one-character key does not change the service's messages", async () => {
  const { url } = await listen((_, response) => answerJson(response, { message: 'There is a bad name' }, 400));
  const { error } = await createClient({ ...options, baseUrl: url, auth: { apiKey: 'a' } }).crm.GET('/users');
  expect(error?.serviceMessage).toBe('There is a bad name');
});
