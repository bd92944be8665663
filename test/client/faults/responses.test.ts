import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Fault, html, redirect, respond, serve, status } from '../../support/fault-server.ts';
import { client, kindOf, operations, repeatable, repeatableOf, settle, underFaults, words } from './harness.ts';

underFaults();

const done = respond({ data: { id: 1, list: [], total: 0 } });
const json = { 'Content-Type': 'application/json' };

test.each(
  [408, 500, 502, 503, 504].flatMap((code, index) =>
    [repeatableOf(index), 'POST that creates' as const].map((kind) => [code, kind] as const),
  ),
)('repeated %i: %s is retried only if safe, and ends with that status', async (code, kind) => {
  const { url, received } = await serve(status(code));
  const { error } = await settle(operations[kind](client(url)));
  const sent = repeatable.includes(kind) ? 'maybe' : 'yes'; // An earlier attempt may have been processed, too.
  expect(error).toMatchObject({ status: code, sent, name: code === 408 ? 'ApiError' : 'ServerError' });
  expect(received).toHaveLength(repeatable.includes(kind) ? 3 : 1);
});

test('repeated 503 for many concurrent calls: each tries three times, and none hangs', async () => {
  const { url, received } = await serve(status(503));
  const api = client(url);
  const ended = await Promise.all(Array.from({ length: 20 }, () => settle(api.crm.users.list())));
  expect(ended.map(({ error }) => error)).toMatchObject(ended.map(() => ({ name: 'ServerError', status: 503 })));
  expect(received).toHaveLength(60);
});

test('a series of 503 that ends in time fails no call', async () => {
  const { url } = await serve(...Array.from({ length: 20 }, () => status(503)), respond({ data: [{ id: 1 }] }));
  const api = client(url, { maxRetries: 20 });
  const ended = await Promise.all(Array.from({ length: 10 }, () => settle(api.crm.users.list())));
  expect(ended).toEqual(ended.map(() => ({ value: [{ id: 1 }] })));
});

const ago = new Date(Date.now() - 3_600_000);
const ahead = new Date(Date.now() + 3_600_000);
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The three date formats of RFC 9110 §5.6.7. */
function dates(date: Date): string[] {
  const fixed = date.toUTCString();
  const [weekday = '', day = '', month = '', year = '', time = ''] = fixed.replace(',', '').split(' ');
  const long = weekdays.find((name) => name.startsWith(weekday));
  return [fixed, `${long}, ${day}-${month}-${year.slice(2)} ${time} GMT`, `${weekday} ${month} ${day} ${time} ${year}`];
}

test.each(['0', ' 0 ', ...dates(ago)].map((retryAfter, index) => [retryAfter, kindOf(index)] as const))(
  '429 with Retry-After %j: %s is sent again unchanged, and succeeds',
  async (retryAfter, kind) => {
    const full = status(429, { 'Retry-After': retryAfter });
    const { url, received } = await serve(full, full, done);
    const { error } = await settle(operations[kind](client(url)));
    expect(error).toBeUndefined();
    const requests = received.map(({ method, url, body }) => `${method} ${url} ${body}`);
    expect(requests).toEqual(Array.from({ length: 3 }, () => requests[0]));
  },
);

test.each(
  ['61', '86400', '9'.repeat(40), ...dates(ahead)].map((retryAfter, index) => [retryAfter, kindOf(index)] as const),
)('429 with Retry-After %s, too far ahead: %s fails at once', async (retryAfter, kind) => {
  const { url, received } = await serve(status(429, { 'Retry-After': retryAfter }));
  // A deadline of a day, so that the deadline does not end the call.
  const { error } = await settle(operations[kind](client(url, { timeout: 86_400_000 })));
  expect(error).toMatchObject({ name: 'RateLimitError', status: 429, sent: 'yes' });
  expect(received).toHaveLength(1);
});

test('429 with a Retry-After past the deadline fails at once with the failure itself', async () => {
  const { url, received } = await serve(status(429, { 'Retry-After': '16' }, '{"message":"Slow down"}'));
  const { error } = await settle(client(url, { timeout: 15_000 }).crm.users.list());
  expect(error).toMatchObject({ name: 'RateLimitError', message: expect.stringContaining('Slow down') });
  expect(received).toHaveLength(1);
});

test('an endless 429 fails after the last attempt', async () => {
  const { url, received } = await serve(status(429, { 'Retry-After': '0' }));
  const { error } = await settle(operations['POST that creates'](client(url)));
  expect(error).toMatchObject({ name: 'RateLimitError' });
  expect(received).toHaveLength(3);
});

test.each([
  [200, 'ResponseError'],
  [201, 'ResponseError'],
  [400, 'ApiError'],
  [403, 'PermissionDeniedError'],
  [404, 'NotFoundError'],
  [500, 'ServerError'],
])('HTML under %i is a typed error that hides the page from output', async (code, name) => {
  const { url } = await serve(html(code));
  const { error } = await settle(client(url, { maxRetries: 0 }).crm.users.list());
  expect(error).toMatchObject({ name, status: code, body: expect.stringContaining('Sign in') });
  expect(String(error)).not.toContain('Sign in');
});

const users = [{ id: 1, name: 'Änn' }];
const text = JSON.stringify({ data: users });
const bytes =
  (headers: Record<string, string>, body: string | Uint8Array): Fault =>
  (_, response) =>
    response.writeHead(200, headers).end(body);

test.each<[string, Fault]>([
  ['text/plain', bytes({ 'Content-Type': 'text/plain' }, text)],
  ['text/html', bytes({ 'Content-Type': 'text/html' }, text)],
  ['no content type', bytes({}, text)],
  ['an invalid content type', bytes({ 'Content-Type': ';;;' }, text)],
  ['a character set that it does not have', bytes({ 'Content-Type': 'application/json; charset=utf-16' }, text)],
  ['a problem type', bytes({ 'Content-Type': 'application/problem+json' }, text)],
  ['a byte order mark', bytes(json, `\ufeff${text}`)],
  ['white space around', bytes(json, `\r\n\t ${text}\n`)],
  ['gzip', bytes({ ...json, 'Content-Encoding': 'gzip' }, gzipSync(text))],
])('accepts JSON with %s', async (_, fault) => {
  const { url } = await serve(fault);
  expect(await settle(client(url).crm.users.list())).toEqual({ value: users });
});

test.each<[string, string | Uint8Array]>([
  ['text', 'OK'],
  ['JSON that is cut off', '{"data": ['],
  ['two JSON texts', '{"data": []}{"data": []}'],
  ['JSON with a guard before it', ")]}',\n{}"],
  ['JavaScript', '{data: []}'],
  ['XML', '<?xml version="1.0"?><data/>'],
  ['bytes', new Uint8Array([0xff, 0xfe, 0x00, 0x80])],
  ['UTF-16', Buffer.from('{"data": []}', 'utf16le')],
  ['white space', '  '],
  ['NaN', 'NaN'],
])('%s under 200 is a ResponseError', async (_, body) => {
  const { url, received } = await serve(bytes(json, body));
  const { error } = await settle(client(url).crm.users.list());
  expect(error).toMatchObject({ name: 'ResponseError', status: 200, operationId: 'listUsers', sent: 'maybe' });
  expect(received).toHaveLength(1);
});

test.each(['null', '{"data": null}', ''])(
  '%j under 200 is a ResponseError, because a payload is documented',
  async (body) => {
    const { url, received } = await serve(bytes(json, body));
    const { error } = await settle(client(url).crm.users.list());
    expect(error).toMatchObject({ name: 'ResponseError', status: 200, operationId: 'listUsers', sent: 'maybe' });
    expect(received).toHaveLength(1);
  },
);

test.each(['true', '7', '"text"', '[]', '{}'])('returns %s under 200 unchanged', async (body) => {
  const { url } = await serve(bytes(json, body));
  const { value, error } = await settle(client(url).crm.deals.get({ dealId: 501 }));
  expect(error).toBeUndefined();
  const parsed: unknown = JSON.parse(body);
  expect(value).toEqual(parsed);
});

test.each([
  ['JSON that no code awaits', bytes(json, '{"id":1}')],
  ['an empty one', status(200)],
  ['204', status(204)],
  ['201', status(201)],
])('treats %s as success if no body is documented', async (_, fault) => {
  const { url } = await serve(fault);
  expect(await settle(operations.DELETE(client(url)))).toEqual({ value: undefined });
});

test.each([300, 301, 302, 303, 304, 307, 308].map((code, index) => [code, kindOf(index)] as const))(
  'does not follow a redirect with %i to another origin, so neither key nor content of %s goes there',
  async (code, kind) => {
    const other = await serve(respond({ data: [] }));
    const { url, received } = await serve(redirect(code, `${other.url}/crm/v1/users`));
    const { error } = await settle(operations[kind](client(url)));
    expect(error).toMatchObject({ name: 'ResponseError', status: code, message: expect.stringContaining('baseUrl') });
    expect([received.length, other.received.length]).toEqual([1, 0]);
  },
);

test('a redirect without an address or with an invalid one is a ResponseError, too', async () => {
  const { url } = await serve(status(302), redirect(302, 'http://['), redirect(302, '/crm/v1/users'));
  const api = client(url);
  for (let call = 0; call < 3; call += 1) {
    const { error } = await settle(api.crm.users.list());
    expect(error).toMatchObject({ name: 'ResponseError', status: 302 });
  }
});

test.each<[string, Fault, string]>([
  ['a failure under 200', respond({ result: false, message: 'No' }), 'ApiError'],
  ['a failed campaign under 200', respond({ message: '3093', error_code: 422 }), 'ApiError'],
  ['a failure without a body', status(422), 'UnprocessableEntityError'],
  ['a failure in an array', respond([{ error: 'x' }], 400), 'ApiError'],
  ['an unknown status', status(599), 'ServerError'],
])('%s is an error, sent once', async (_, fault, name) => {
  const { url, received } = await serve(fault);
  const { error } = await settle(operations['POST that creates'](client(url)));
  expect(error).toMatchObject({ name, sent: 'yes' });
  expect(received).toHaveLength(1);
  expect(received[0]?.body).toContain(words);
});
