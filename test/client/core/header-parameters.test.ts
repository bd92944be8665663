import { describe, expect, test } from 'vitest';
import { assemble } from '../../../src/client/assemble.ts';
import { createPart } from '../../../src/client/part.ts';
import type { OperationTable } from '../../../src/shared/operation.ts';

const table: OperationTable = {
  base: '',
  operations: {
    '/things': {
      GET: { id: 'listThings', method: 'things.list', params: { 'X-Trace': 'header', page: 'query' }, reads: true },
      PUT: { id: 'updateThings', method: 'things.update', params: { 'If-Match': 'header' }, whole: 'things' },
    },
    '/plain': { GET: { id: 'getPlain', method: 'plain.get', reads: true, bare: true } },
  },
};

interface Methods {
  things: {
    list(params?: object, options?: object): Promise<unknown>;
    update(params?: object, options?: object): Promise<unknown>;
  };
}

interface Sent {
  headers: Headers;
  body: unknown;
}

/** A client of the table that records what it sends. */
function recording(headers?: Record<string, string>) {
  const sent: Sent[] = [];
  const client = assemble(
    {
      baseUrl: 'https://api.example.com',
      auth: { apiKey: 'key' },
      ...(headers && { headers }),
      fetch: async (_, init) => {
        sent.push({ headers: new Headers(init?.headers), body: init?.body });
        return Response.json({});
      },
    },
    (settings, authorizer) => createPart<Record<never, never>, Methods>(table, settings, authorizer),
  );
  // The table has no types of its own.
  const paths = client as unknown as Record<'GET' | 'PUT', (path: string, init?: object) => Promise<unknown>>;
  return { client, paths, sent };
}

/** The message of a call's error. */
function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'sent',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

describe('a header that is a parameter', () => {
  test.each([
    ['a text', 'abc', 'abc'],
    ['a number', 7, '7'],
    ['false', false, 'false'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('is sent under its name if it is %s', async (_, value, expected) => {
    const { client, paths, sent } = recording();
    await client.things.list({ 'X-Trace': value });
    await paths.GET('/things', { params: { header: { 'X-Trace': value } } });
    expect(sent.map(({ headers }) => headers.get('x-trace'))).toEqual([expected, expected]);
  });

  test('is not sent if it is undefined', async () => {
    const { client, sent } = recording();
    await client.things.list({ 'X-Trace': undefined });
    expect(sent[0]?.headers.has('x-trace')).toBe(false);
  });

  test('replaces a header of the client, and stands beside those of the call', async () => {
    const { client, sent } = recording({ 'x-trace': 'of the client' });
    await client.things.list({ 'X-Trace': 'own' }, { headers: { 'x-other': 'too' } });
    const { headers } = sent[0] ?? expect.fail('nothing was sent');
    expect([headers.get('x-trace'), headers.get('x-other')]).toEqual(['own', 'too']);
  });

  test.each([
    ['a line break', 'a\r\nx-evil: 1'],
    ['a character that headers do not have', 'Łódź'],
    ['an object', { a: 1 }],
    ['a list', [1]],
    ['null', null],
  ])('is refused with %s', async (_, value) => {
    const { client, sent } = recording();
    expect(await refusal(client.things.list({ 'X-Trace': value }))).toMatch(
      /^ArgumentError: GET \/things: \["X-Trace"\] cannot be sent in a header; nothing was sent$/,
    );
    expect(sent).toEqual([]);
  });

  test.each([{ 'x-trace': 'b' }, new Headers({ 'X-TRACE': 'b' })])(
    'is refused if an option has the same header, because one of them would be lost: %j',
    async (headers) => {
      const { client, sent } = recording();
      expect(await refusal(client.things.list({ 'X-Trace': 'a' }, { headers }))).toContain(
        'the header X-Trace is a parameter: remove it from the option headers',
      );
      expect(sent).toEqual([]);
    },
  );

  test('is only one of the operation, so that a call by path cannot send another credential', async () => {
    const { paths, sent } = recording();
    const header = { authorization: 'Bearer other' };
    expect(await refusal(paths.GET('/things', { params: { header } }))).toContain(
      'authorization is not a header of the operation: pass it in the option headers',
    );
    expect(await refusal(paths.GET('/plain', { params: { header } }))).toContain('The params are path, query');
    expect(sent).toEqual([]);
  });
});

describe('a parameter that is the whole body', () => {
  test.each([
    ['a list', [{ id: 1 }, { id: 2 }], '[{"id":1},{"id":2}]'],
    ['an empty list', [], '[]'],
    ['a map', { a: 1 }, '{"a":1}'],
    ['a text', 'a', '"a"'],
  ])('is sent as %s', async (_, things, body) => {
    const { client, sent } = recording();
    await client.things.update({ 'If-Match': 'v1', things });
    expect([sent[0]?.body, sent[0]?.headers.get('if-match')]).toEqual([body, 'v1']);
  });

  test('is no body if it is missing', async () => {
    const { client, sent } = recording();
    await client.things.update({ things: undefined });
    expect(sent[0]?.body).toBeUndefined();
  });

  test('is refused with the place of a value that JSON cannot represent', async () => {
    const { client } = recording();
    expect(await refusal(client.things.update({ things: [{ id: Number.NaN }] }))).toMatch(
      /things\[0\]\.id|things\.0\.id/,
    );
  });

  test('takes no other parameter, which would be lost', async () => {
    const { client, sent } = recording();
    expect(await refusal(client.things.update({ things: [], thing: 1 }))).toContain(
      'there is no parameter thing, did you mean things?',
    );
    expect(sent).toEqual([]);
  });
});
