import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';

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
