import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { encodeField, toBase64 } from '../../src/core/encode.ts';
import { createClient } from '../../src/index.ts';

const decode = (text: string): Buffer => Buffer.from(text, 'base64');

test.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['ü', 'w7w='],
  ['€', '4oKs'],
  ['😀', '8J+YgA=='],
  ['\u0000', 'AA=='],
])('text %j is Base64 of its UTF-8: %j (RFC 4648 §10)', (text, expected) => {
  expect(toBase64(text)).toBe(expected);
});

test('bytes are encoded in Base64, also a part of a larger buffer', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(decode(toBase64(bytes)).equals(bytes)).toBe(true);
  expect(toBase64(bytes.subarray(250))).toBe(Buffer.from(bytes.subarray(250)).toString('base64'));
  expect(toBase64(Buffer.from('foo'))).toBe('Zm9v');
  expect(toBase64(new Uint8Array())).toBe('');
});

test.each([0x7fff, 0x8000, 0x8001, 10 * 1024 * 1024])('%i bytes arrive whole', (length) => {
  const bytes = Buffer.alloc(length, 'carillon \u00ff', 'latin1');
  expect(toBase64(bytes) === bytes.toString('base64')).toBe(true);
});

test('10 MB of text arrive whole', () => {
  const text = 'é'.repeat(5_000_000);
  expect(toBase64(text) === Buffer.from(text).toString('base64')).toBe(true);
});

test.each(['base64', 'base64Map', 'json'] as const)('null and absence do not change (%s)', (encoding) => {
  expect(encodeField(null, encoding)).toBeNull();
  expect(encodeField(undefined, encoding)).toBeUndefined();
});

test('a map of files is encoded file by file, and its own value is not changed', () => {
  const files = { 'a.txt': 'foo', 'b.bin': new Uint8Array([102]), ünï: '' };
  expect(encodeField(files, 'base64Map')).toEqual({ 'a.txt': 'Zm9v', 'b.bin': 'Zg==', ünï: '' });
  expect(files['a.txt']).toBe('foo');
});

test('a file named __proto__ is a file', () => {
  const encoded = encodeField(JSON.parse('{"__proto__": "foo"}'), 'base64Map');
  expect(JSON.stringify(encoded)).toBe('{"__proto__":"Zm9v"}');
});

test.each([[7], [true], [['foo']], [{ size: 3 }], [new Blob(['foo'])], [Promise.resolve('foo')], [new Map()]])(
  '%o is neither text nor bytes, so it is refused',
  (value) => {
    expect(() => encodeField(value, 'base64')).toThrow(/^must be text or bytes/);
    expect(() => encodeField({ 'a.txt': value }, 'base64Map')).toThrow(/^must be text or bytes/);
  },
);

test.each([
  ['foo'],
  [7],
  [['foo']],
  [new Uint8Array(3)],
  [new ArrayBuffer(3)],
  [new Map([['a.txt', 'foo']])],
  [new Blob(['foo'])],
  [Promise.resolve({ 'a.txt': 'foo' })],
])('%o is not a map of files, so it is refused', (value) => {
  expect(() => encodeField(value, 'base64Map')).toThrow(/^must be a map of file name to content/);
});

test.each([
  'new Uint8Array([102, 111, 111])',
  'new Uint8Array([102, 111, 111]).buffer',
  'new DataView(new Uint8Array([102, 111, 111]).buffer)',
  'Uint8Array.from([0, 102, 111, 111, 0]).subarray(1, 4)',
])('bytes of another realm are bytes: %s', (source) => {
  const bytes: unknown = runInNewContext(source);
  expect(bytes instanceof Uint8Array).toBe(false);
  expect(encodeField(bytes, 'base64')).toBe('Zm9v');
  expect(encodeField({ 'a.bin': bytes }, 'base64Map')).toEqual({ 'a.bin': 'Zm9v' });
});

test('a file that is a Blob is an ArgumentError that says what to give, and nothing is sent', async () => {
  const { api, bodies } = sending();
  const blob: unknown = new Blob(['foo']);
  const call = api.email.messages.send({
    subject: 'Hello',
    from: { name: 'Bells', email: 'bells@example.com' },
    to: [{ name: 'Ann', email: 'ann@example.com' }],
    // @ts-expect-error: a Blob is read asynchronously
    attachments_binary: { 'bell.txt': blob },
  });
  await expect(call).rejects.toMatchObject({
    name: 'ArgumentError',
    message: expect.stringContaining('attachments_binary must be text or bytes'),
  });
  expect(bodies).toEqual([]);
});

test.each([
  [{ a: 1 }, '{"a":1}'],
  ['text', '"text"'],
  [false, 'false'],
  [0, '0'],
  [[], '[]'],
])('%j as JSON is %j', (value, expected) => {
  expect(encodeField(value, 'json')).toBe(expected);
});

function sending() {
  const bodies: unknown[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    fetch: async (_, { body }) => {
      bodies.push(JSON.parse(String(body)));
      return Response.json({ result: true, id: 'msg-2026-0001', data: {} });
    },
  });
  return { api, bodies };
}

test('messages.send takes text and bytes, and the wire gets Base64 under the one key', async () => {
  const { api, bodies } = sending();
  await api.email.messages.send({
    subject: 'Hello',
    from: { name: 'Bells', email: 'bells@example.com' },
    to: [{ name: 'Ann', email: 'ann@example.com' }],
    html: '<p>Grüße</p>',
    text: 'Grüße',
    attachments_binary: { 'bell.txt': 'foo', 'bell.bin': new Uint8Array([102, 111, 111]) },
  });
  expect(bodies).toEqual([
    {
      email: {
        subject: 'Hello',
        from: { name: 'Bells', email: 'bells@example.com' },
        to: [{ name: 'Ann', email: 'ann@example.com' }],
        html: Buffer.from('<p>Grüße</p>').toString('base64'),
        text: 'Grüße',
        attachments_binary: { 'bell.txt': 'Zm9v', 'bell.bin': 'Zm9v' },
      },
    },
  ]);
});

test('a value that JSON cannot hold is an ArgumentError that names the field, and nothing is sent', async () => {
  const { api, bodies } = sending();
  const buttons: { text: string; link: string }[] = [{ text: 'Private words', link: 'https://example.com' }];
  Object.assign(buttons[0] ?? {}, { self: buttons });
  const call = api.messaging.push.campaigns.create({
    title: 'Hello',
    website_id: 1,
    body: 'Hello',
    ttl: 60,
    buttons,
  });
  await expect(call).rejects.toMatchObject({
    name: 'ArgumentError',
    sent: 'no',
    message: 'POST /push/tasks: buttons cannot be written as JSON; nothing was sent',
  });
  const wide: unknown = 1n;
  // @ts-expect-error: no such field
  await expect(api.crm.deals.create({ pipelineId: 1, stepId: 11, wide })).rejects.toMatchObject({
    name: 'ArgumentError',
    sent: 'no',
  });
  expect(bodies).toEqual([]);
});

const lost: [string, unknown][] = [
  ['Blob', new Blob(['foo'])],
  ['Promise', Promise.resolve('foo')],
  ['ArrayBuffer', new ArrayBuffer(3)],
  ['Uint8Array', new Uint8Array([102])],
  ['Uint8Array', new Uint8Array()],
  ['Uint8Array', Buffer.from('foo')],
  ['Uint8Array', runInNewContext('new Uint8Array([102])')],
  ['Map', new Map([['a', 'b']])],
  ['Set', new Set(['a'])],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
];

describe.each(lost)('a body with a %s', (kind, value) => {
  const refusal = {
    name: 'ArgumentError',
    sent: 'no',
    message: expect.stringContaining(`parameters cannot contain ${kind}; nothing was sent`),
  };
  const wrong = (params: object): never => params as never;

  test('in a plain field is refused by method, at any depth', async () => {
    const { api, bodies } = sending();
    const deal = { pipelineId: 1, stepId: 11 };
    await expect(api.crm.deals.create(wrong({ ...deal, name: value }))).rejects.toMatchObject(refusal);
    await expect(api.crm.deals.create(wrong({ ...deal, attachments: [value] }))).rejects.toMatchObject(refusal);
    const email = { subject: 'Hello', from: {}, to: [], html: '<p>', text: 'Hello', attachments: { 'a.txt': value } };
    await expect(api.email.messages.send(wrong(email))).rejects.toMatchObject(refusal);
    expect(bodies).toEqual([]);
  });

  test('is refused by path, also as the body itself', async () => {
    const { api, bodies } = sending();
    for (const body of [{ email: { attachments_binary: { 'a.bin': value } } }, value])
      await expect(api.email.POST('/smtp/emails', { body: body as never })).rejects.toMatchObject(refusal);
    expect(bodies).toEqual([]);
  });
});

test.each([
  ['Undefined', undefined],
  ['Function', () => 1],
  ['Symbol', Symbol('x')],
])(
  'a list with a %s, which JSON would turn into null, is refused; a field with one is left out',
  async (kind, value) => {
    const { api, bodies } = sending();
    const emails = [value, 'ann@example.com'] as never[];
    const message = expect.stringContaining(`cannot contain ${kind}`);
    await expect(api.email.unsubscribes.remove({ emails })).rejects.toMatchObject({ name: 'ArgumentError', message });
    await api.crm.deals.comments.create({ dealId: 1, message: 'null', extra: value } as never);
    expect(bodies).toEqual([{ message: 'null' }]);
  },
);

test('what JSON can hold is sent, although it looks like what it cannot', async () => {
  const { api, bodies } = sending();
  const own = {
    date: new Date(0),
    words: ['null', '{}', '"Buffer"', 'Object'],
    empty: {},
    none: null,
    list: [],
    zero: 0,
  };
  await api.crm.POST('/deals/get-list', { body: Object.create(null, Object.getOwnPropertyDescriptors(own)) });
  expect(bodies).toEqual([{ ...own, date: '1970-01-01T00:00:00.000Z' }]);
});
