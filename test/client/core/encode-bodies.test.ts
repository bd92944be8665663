import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';

function sending() {
  const bodies: unknown[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    fetch: async (_, { body }) => {
      bodies.push(JSON.parse(String(body)));
      return Response.json({ result: true, id: 'msg-2026-0001', data: { id: 1 } });
    },
  });
  return { api, bodies };
}

test('messages.send takes text, bytes and files, and sends Base64 under the wrapping key', async () => {
  const { api, bodies } = sending();
  await api.email.messages.send({
    subject: 'Hello',
    from: { name: 'Bells', email: 'bells@example.com' },
    to: [{ name: 'Ann', email: 'ann@example.com' }],
    html: '<p>Grüße</p>',
    text: 'Grüße',
    attachments_binary: { 'bell.txt': new File(['foo'], 'bell.txt'), 'bell.bin': new Uint8Array([102, 111, 111]) },
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

const email = {
  subject: 'Hello',
  from: { email: 'bells@example.com' },
  to: [{ email: 'ann@example.com' }],
  template: { id: 700 },
};

test('an abort and the deadline also end the reading of a Blob', async () => {
  const { api, bodies } = sending();
  const never = { size: 3, arrayBuffer: () => new Promise<ArrayBuffer>(() => undefined) };
  const attached = { ...email, attachments_binary: { 'a.txt': never } };
  const late = api.email.messages.send(attached, { timeout: 5 });
  await expect(late).rejects.toMatchObject({ name: 'DeadlineError', sent: 'no' });
  const reason = new Error('enough');
  const controller = new AbortController();
  const aborted = api.email.messages.send(attached, { signal: controller.signal });
  controller.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  expect([aborted.sent, bodies]).toEqual(['no', []]);
});

test('a file that cannot be read is an ArgumentError with its place, and no request is sent', async () => {
  const { api, bodies } = sending();
  const cause = new Error('gone');
  const broken = { size: 3, arrayBuffer: () => Promise.reject(cause) };
  const call = api.email.messages.send({ ...email, attachments_binary: { 'a b.txt': broken } });
  await expect(call).rejects.toMatchObject({
    name: 'ArgumentError',
    sent: 'no',
    parameter: 'attachments_binary["a b.txt"]',
    message: 'POST /smtp/emails: attachments_binary["a b.txt"] cannot be read; nothing was sent',
    cause,
  });
  expect(bodies).toEqual([]);
});

test('throws for a string for a file, and Base64 for HTML, to avoid double encoding', async () => {
  const { api, bodies } = sending();
  const text: never = btoa('a contract') as never;
  const attached = api.email.messages.send({ ...email, attachments_binary: { 'a.txt': text } });
  await expect(attached).rejects.toThrow('attachments_binary["a.txt"] must be bytes, a Blob or a File, not a string');
  const { template: _, ...head } = email;
  const twice = api.email.messages.send({ ...head, html: btoa('<p>Hello</p>'), text: 'Hello' });
  await expect(twice).rejects.toThrow(
    'POST /smtp/emails: html is already Base64: pass the HTML itself; nothing was sent',
  );
  expect(bodies).toEqual([]);
});

test('a value that JSON cannot represent is an ArgumentError that names the field, and no request is sent', async () => {
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
    message: 'POST /push/tasks: buttons[0].self refers back to itself; nothing was sent',
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
    message: expect.stringMatching(new RegExp(` is (an? )?${kind}; nothing was sent$`)),
  };
  const wrong = (params: object): never => params as never;

  test('is invalid by method at any depth of a plain field', async () => {
    const { api, bodies } = sending();
    const deal = { pipelineId: 1, stepId: 11 };
    await expect(api.crm.deals.create(wrong({ ...deal, name: value }))).rejects.toMatchObject(refusal);
    await expect(api.crm.deals.create(wrong({ ...deal, attachments: [value] }))).rejects.toMatchObject(refusal);
    const email = { subject: 'Hello', from: {}, to: [], html: '<p>', text: 'Hello', attachments: { 'a.txt': value } };
    await expect(api.email.messages.send(wrong(email))).rejects.toMatchObject(refusal);
    expect(bodies).toEqual([]);
  });

  test('is invalid by path, even as the body itself', async () => {
    const { api, bodies } = sending();
    for (const body of [{ email: { attachments_binary: { 'a.bin': value } } }, value])
      await expect(api.email.POST('/smtp/emails', { body: body as never })).rejects.toMatchObject(refusal);
    expect(bodies).toEqual([]);
  });
});

test.each([
  ['undefined', undefined],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
])(
  'throws for a list with %s, which JSON would turn into null, and a field with a function or a symbol',
  async (kind, value) => {
    const { api, bodies } = sending();
    const emails = [value, 'ann@example.com'] as never[];
    const message = expect.stringContaining(`emails[0] is ${kind}`);
    await expect(api.email.unsubscribes.remove({ emails })).rejects.toMatchObject({ name: 'ArgumentError', message });
    const created = api.crm.deals.comments.create({ dealId: 1, message: 'null', extra: value } as never);
    if (value !== undefined) {
      await expect(created).rejects.toMatchObject({ message: expect.stringContaining(`extra is ${kind}`) });
      return;
    }
    await created;
    expect(bodies).toEqual([{ message: 'null' }]);
  },
);

test('sends valid JSON values that resemble invalid ones', async () => {
  const { api, bodies } = sending();
  const own = {
    date: new Date(0),
    words: ['null', '{}', '"Buffer"', 'Object'],
    empty: {},
    none: null,
    list: [],
    zero: 0,
  };
  const body = Object.create(null, Object.getOwnPropertyDescriptors(own));
  await api.crm.POST('/deals', { body });
  expect(bodies).toEqual([{ ...own, date: '1970-01-01T00:00:00.000Z' }]);
});
