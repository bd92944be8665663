import { expect, test } from 'vitest';
import { createClient, isCarillonError } from '../../../src/client/index.ts';
import { type Fault, respond, serve, status } from '../../support/fault-server.ts';
import { apiKey, client, operations, settle, underFaults } from './harness.ts';

underFaults();

const injections = ['\r\nX-Admin: 1', '\n', '\r', '\0', '\u001b[2J', ' ', '\t', '\u0085', '\u2028', 'é', '\u{1f600}'];

test.each(injections)('throws for a key with %j on creation of the client, without repeating it', (injection) => {
  const key = `${apiKey}${injection}`;
  for (const auth of [{ apiKey: key }, { apiKey: injection + key }]) {
    try {
      createClient({ baseUrl: 'http://127.0.0.1', auth });
      expect.unreachable();
    } catch (error) {
      expect(isCarillonError(error, 'ConfigError')).toBe(true);
      expect(String(error)).not.toContain(apiKey);
    }
  }
});

test.each(['\r\nX-Admin: 1', '\n', '\0', '\u2028', '\u{1f600}'])(
  'throws for a header with %j in its name or value, and sends no request',
  async (injection) => {
    const { url, received } = await serve(respond({ data: [] }));
    const headers: Record<string, string>[] = [{ [`X-Name${injection}`]: 'a' }, { 'X-Name': `a${injection}b` }];
    for (const own of headers) {
      expect(() => client(url, { headers: own })).toThrow(/^The header "X-Name[^"]*" is not valid$/);
      const { error } = await settle(client(url).crm.users.list({ headers: own }));
      expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
    }
    expect(received).toEqual([]);
  },
);

const climbing = ['.', '..', '%2e', '%2E%2e', '.%2e', '%2e.', ''];

test.each(climbing)('throws for the id %j, which could change the path, before it sends a request', async (id) => {
  const { url, received } = await serve(respond({}));
  const api = client(url);
  const calls = [
    api.email.messages.get({ id }),
    api.email.GET('/smtp/emails/{id}', { params: { path: { id } } }),
    api.email.domains.add({ domain: id }),
    // @ts-expect-error: an integer is wanted
    api.crm.deals.delete({ dealId: id }),
    // @ts-expect-error: an integer is wanted
    api.crm.DELETE('/deals/{dealId}', { params: { path: { dealId: id } } }),
  ];
  for (const call of calls) expect((await settle(call)).error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
  expect(received).toEqual([]);
});

test.each([
  '../users',
  '..\\users',
  '/',
  '//',
  'a/../b',
  '..;',
  '...',
  '%00',
  '%2f..%2f',
  '?a=1',
  '#a',
  'a\r\nb',
  '\t..',
  '..\n',
])('the id %j arrives unchanged as one segment', async (id) => {
  const { url, received } = await serve(respond({}));
  expect((await settle(client(url).email.messages.get({ id }))).error).toBeUndefined();
  const [path = ''] = received.map((request) => request.url);
  expect(path.split('/')).toHaveLength(4);
  expect(path).toMatch(/^\/smtp\/emails\/[^?#]+$/);
  expect(decodeURIComponent(path.slice('/smtp/emails/'.length))).toBe(id);
});

const raw =
  (body: string): Fault =>
  (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);

test.each([
  '{"__proto__": {"polluted": 1}, "data": {"__proto__": {"polluted": 1}, "id": 1}}',
  '{"data": {"constructor": {"prototype": {"polluted": 1}}, "id": 1}}',
  '{"data": {"id": 1}, "meta": {"__proto__": {"polluted": 1}}}',
  '{"data": {"id": 1, "toString": 1, "hasOwnProperty": 1, "then": 1}}',
])('treats the response %s as plain data', async (body) => {
  const { url } = await serve(raw(body));
  const { data, meta } = await client(url).crm.deals.get({ dealId: 1 }).withResponse();
  const parsed: unknown = JSON.parse(body);
  expect(data).toEqual(typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'data') : undefined);
  expect(data.id).toBe(1);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  for (const part of [data, meta]) expect(part && Reflect.get(part, 'polluted')).toBeUndefined();
});

test.each([
  ['nested a hundred thousand deep', '['.repeat(100_000)],
  ['nested deep and closed', '['.repeat(20_000) + ']'.repeat(20_000)],
  ['a number beyond all bounds', '{"data": 1e999999}'],
  ['a hundred thousand keys', `{"data": {${Array.from({ length: 100_000 }, (_, key) => `"k${key}":0`).join()}}}`],
])('a response that is %s is either returned or a typed error', async (_, body) => {
  const { url } = await serve(raw(body));
  const { error } = await settle(client(url).crm.users.list());
  if (error !== undefined) expect(error).toMatchObject({ name: 'ResponseError' });
});

test.each([
  ['terminal escapes', '\u001b[31mred\u0007'],
  ['line breaks that forge a log line', 'no\r\n2026-11-21 INFO all is well'],
  ['a megabyte', 'x'.repeat(1_000_000)],
  ['replacement patterns', `$& $1 $$ ${apiKey} $\``],
])('a failure whose message contains %s is one short line', async (_, message) => {
  const { url } = await serve(respond({ message, error_code: message }, 400));
  const { error } = await settle(operations.GET(client(url)));
  expect(error).toMatchObject({ name: 'ApiError', message: expect.stringMatching(/^\P{Cc}{10,800}$/u) });
});

test('never sends an invalid page value', async () => {
  const { url, received } = await serve(status(204));
  const { error } = await settle(client(url).email.messages.list({ sender: '\ud800' }));
  expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
  expect(received).toEqual([]);
});

test('sends text of any script as UTF-8 JSON, and escapes unpaired surrogates', async () => {
  const { url, received } = await serve(respond({ data: { id: 1 } }));
  const message = 'Grüße 😀 \u2028 \0 \ud800 "quoted" \\ </script>';
  await settle(client(url).crm.deals.comments.create({ dealId: 501, message }));
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ message });
  expect(received[0]?.headers['content-type']).toBe('application/json');
});

test.each([
  ['a password', 'https://user:hunter2@127.0.0.1'],
  ['a query', 'https://127.0.0.1/?key=hunter2'],
  ['a line break before another host', 'https://127.0.0.1\r\n@hunter2.example.com'],
  ['a script', 'javascript:hunter2'],
  ['a file', 'file:///hunter2'],
  ['nothing', ''],
])('throws for an address with %s without repeating it', (_, baseUrl) => {
  try {
    createClient({ auth: { apiKey }, baseUrl });
    expect.unreachable();
  } catch (error) {
    expect(isCarillonError(error, 'ConfigError')).toBe(true);
    expect(String(error)).not.toContain('hunter2');
  }
});
