import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';

/** A client that records its requests. Parameters of untyped programs have the type `never`. */
function sending() {
  const sent: { url: string; body: unknown }[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    logger: { warn: () => undefined },
    fetch: async (url, { body }) => {
      sent.push({ url, body: body && JSON.parse(body) });
      return Response.json({ result: true, id: 'msg-2026-0001', data: { id: 1 } });
    },
  });
  return { api, sent };
}

function from(value: unknown): never {
  return value as never;
}

/** A getter that throws an error whose message must never be repeated. */
const failing = {
  get price(): number {
    throw new Error('private words');
  },
};

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level += 1) value = { inner: value };
  return value;
}

const circular: Record<string, unknown> = { name: 'Ann' };
circular.self = [circular];

const deal = { pipelineId: 1, stepId: 11 };

/** Place, problem, and a function that creates the value, because test titles read values. */
const badValues: [string, string, () => unknown][] = [
  ['price', 'is NaN', () => ({ price: Number.NaN })],
  ['price', 'is -Infinity', () => ({ price: Number.NEGATIVE_INFINITY })],
  ['price', 'is NaN', () => ({ price: Object(Number.NaN) })],
  ['attributes[0].value', 'is an invalid Date', () => ({ attributes: [{ attributeId: 1, value: new Date('never') }] })],
  ['created', 'is an invalid Date', () => ({ created: runInNewContext("new Date('never')") })],
  ['emails[1].email', 'is a Blob', () => ({ emails: [{ email: 'a' }, { email: new Blob(['a']) }] })],
  ['file', 'is a File', () => ({ file: new File(['a'], 'a.txt') })],
  ['bytes', 'is a Uint8Array', () => ({ bytes: new Uint8Array([1]) })],
  ['bytes', 'is a Uint8Array', () => ({ bytes: Buffer.from('a') })],
  ['bytes', 'is an ArrayBuffer', () => ({ bytes: new ArrayBuffer(1) })],
  ['later', 'is a Promise', () => ({ later: Promise.resolve(1) })],
  ['map', 'is a Map', () => ({ map: new Map() })],
  ['price', 'is a BigInt', () => ({ price: 1n })],
  ['names[1]', 'is undefined', () => ({ names: ['a', undefined] })],
  ['names[0]', 'is a function', () => ({ names: [() => 1] })],
  ['names[0]', 'is a symbol', () => ({ names: [Symbol('private words')] })],
  ['["a b"]["it\'s"]', 'is NaN', () => ({ 'a b': { "it's": Number.NaN } })],
  ['filter.self[0]', 'refers back to itself', () => ({ filter: circular })],
  ['filter', 'is nested too deeply', () => ({ filter: nested(8_000) })],
  ['filter.price', 'cannot be read', () => ({ filter: failing })],
  ['price', 'cannot be read', () => failing],
  ['filter', 'cannot be read', () => ({ filter: { toJSON: () => failing.price } })],
];

describe.each(badValues)('%s %s', (place, problem, make) => {
  const message = `${place} ${problem}`;

  test(`is invalid by a method, and the error says "${message}"`, async () => {
    const { api, sent } = sending();
    const error = await api.crm.deals
      .create(from(Object.defineProperties(fresh(make()), descriptors(deal))))
      .catch(keep);
    expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no', operationId: 'createDeal', parameter: place });
    expect(error).toHaveProperty('message', `POST /deals: ${message}; nothing was sent`);
    expect(String(error)).not.toContain('private words');
    expect(sent).toEqual([]);
  });

  test('is invalid by a call by path, with a place that begins with body', async () => {
    const { api, sent } = sending();
    const error = await api.crm.POST('/deals', { body: from(make()) }).catch(keep);
    const inBody = place.startsWith('[') ? `body${place}` : `body.${place}`;
    expect(error).toHaveProperty('message', `POST /deals: ${inBody} ${problem}; nothing was sent`);
    expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no', parameter: inBody });
    expect(sent).toEqual([]);
  });
});

function keep(error: unknown): unknown {
  return error;
}

/** A copy that keeps getters. */
function fresh(value: unknown): object {
  return Object.defineProperties({}, descriptors(value));
}

function descriptors(value: unknown): PropertyDescriptorMap {
  return Object.getOwnPropertyDescriptors(Object(value));
}

test('throws for a Proxy that throws, whatever it throws on', async () => {
  const { api, sent } = sending();
  const refuse = (): never => {
    throw new Error('private words');
  };
  const traps: (keyof ProxyHandler<object>)[] = ['get', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'];
  for (const trap of traps) {
    const proxy = new Proxy({ name: 'Ann' }, { [trap]: refuse });
    for (const params of [proxy, { ...deal, filter: proxy }]) {
      const error = await api.crm.deals.create(from(params)).then(() => 'sent', keep);
      if (error === 'sent') continue;
      expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
      expect(String(error)).not.toContain('private words');
    }
  }
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const calls = [
    () => api.crm.deals.create(from(proxy)),
    () => api.crm.deals.create(deal, from(proxy)),
    () => api.crm.contacts.list(from(proxy)),
    () => api.crm.POST('/deals', from(proxy)),
    () => api.crm.POST('/deals', { body: from(proxy) }),
  ];
  sent.length = 0;
  for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'ArgumentError', sent: 'no' });
  expect(sent).toEqual([]);
});

test('throws for a body by path if the body itself is not JSON', async () => {
  const { api, sent } = sending();
  for (const [body, problem] of [
    [() => 1, 'a function'],
    [Number.NaN, 'NaN'],
    [new Blob(['a']), 'a Blob'],
    [new FormData(), 'a FormData'],
  ] as const) {
    const message = `POST /deals: body is ${problem}; nothing was sent`;
    await expect(api.crm.POST('/deals', { body: from(body) })).rejects.toMatchObject({ message, parameter: 'body' });
  }
  expect(sent).toEqual([]);
});

describe('invalid values of the query and the path', () => {
  const { api, sent } = sending();
  const calls: [() => PromiseLike<unknown>, string, string][] = [
    [() => api.email.messages.list({ limit: Number.NaN }), 'GET /smtp/emails', 'limit is NaN'],
    [
      () => api.email.messages.list({ sender: from(new Date('never')) }),
      'GET /smtp/emails',
      'sender is an invalid Date',
    ],
    [() => api.email.messages.list({ sender: from([{}]) }), 'GET /smtp/emails', 'sender cannot be written in a URL'],
    [
      () => api.email.messages.list({ sender: from({ like: 'a' }) }),
      'GET /smtp/emails',
      'sender cannot be written in a URL',
    ],
    [() => api.email.messages.list({ sender: '\ud800' }), 'GET /smtp/emails', 'sender cannot be written in a URL'],
    [
      () => api.email.GET('/smtp/emails', { params: { query: { limit: Number.NaN } } }),
      'GET /smtp/emails',
      'params.query.limit is NaN',
    ],
    [() => api.crm.deals.get({ dealId: Number.NaN }), 'GET /deals/{dealId}', 'dealId must be an integer'],
    [() => api.crm.deals.get(from({})), 'GET /deals/{dealId}', 'dealId is missing'],
    [
      () => api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 1.5 } } }),
      'GET /deals/{dealId}',
      'params.path.dealId must be an integer',
    ],
    [() => api.crm.GET('/deals/{dealId}', from({})), 'GET /deals/{dealId}', 'params.path.dealId is missing'],
  ];
  test.each(calls)('are invalid with their place: %s', async (call, operation, message) => {
    const parameter = message.split(' ')[0];
    await expect(call()).rejects.toMatchObject({
      name: 'ArgumentError',
      message: `${operation}: ${message}; nothing was sent`,
      parameter,
    });
    expect(sent).toEqual([]);
  });
});

describe('another value in place of an object', () => {
  const { api, sent } = sending();
  const wrong: [unknown, string][] = [
    [[501], 'a list'],
    ['501', 'a string'],
    [501, 'a number'],
    [true, 'a boolean'],
    [() => 501, 'a function'],
    [new Map([['dealId', 501]]), 'a Map'],
    [Promise.resolve({ dealId: 501 }), 'a Promise'],
    [new Date(), 'a Date'],
    [new AbortController().signal, 'an AbortSignal'],
  ];
  test.each(wrong)('is invalid as parameters, options, init and params: %o', async (value, kind) => {
    const be = (what: string): object => ({
      name: 'ArgumentError',
      sent: 'no',
      message: expect.stringContaining(`${what} must be an object, not ${kind}`),
    });
    await expect(api.crm.deals.get(from(value))).rejects.toMatchObject(be('parameters'));
    await expect(api.crm.contacts.list(from(value))).rejects.toMatchObject(be('parameters'));
    await expect(api.crm.deals.get({ dealId: 501 }, from(value))).rejects.toMatchObject(be('options'));
    await expect(api.crm.users.list(from(value))).rejects.toMatchObject(be('options'));
    await expect(api.crm.GET('/users', from(value))).rejects.toMatchObject(be('options'));
    await expect(api.crm.GET('/deals/{dealId}', from({ params: value }))).rejects.toMatchObject(be('params'));
    await expect(api.crm.GET('/deals/{dealId}', from({ params: { path: value } }))).rejects.toMatchObject(
      be('params.path'),
    );
    await expect(api.email.GET('/smtp/emails', from({ params: { query: value } }))).rejects.toMatchObject(
      be('params.query'),
    );
    await expect(api.crm.users.list({ headers: from(value) })).rejects.toMatchObject(be('headers'));
    expect(sent).toEqual([]);
  });

  test('treats undefined and null as no parameters and no options', async () => {
    const { api } = sending();
    await api.crm.pipelines.create(from(null), from(null));
    await api.crm.GET('/users', from(null));
    await api.crm.users.list(undefined);
  });

  test('accepts an instance of a class, even with a custom toStringTag', async () => {
    class Deal {
      pipelineId = 1;
      stepId = 11;
      attachments: object[] = [];
      readonly [Symbol.toStringTag] = 'Deal';
    }
    const { api, sent } = sending();
    await api.crm.deals.create(from(new Deal()));
    await api.crm.deals.create(from({ ...deal, nothing: null, inner: new Deal() }));
    expect(sent).toHaveLength(2);
  });
});

describe('an unknown option', () => {
  const { api, sent } = sending();
  const list = 'signal, timeout, attemptTimeout, maxRetries, replayCreates, headers';
  const calls: [() => PromiseLike<unknown>, string][] = [
    [
      () => api.crm.deals.get({ dealId: 501 }, from({ timeuot: 5 })),
      `there is no option timeuot. Did you mean timeout? The options are ${list}`,
    ],
    [() => api.crm.users.list(from({ limit: 10 })), `there is no option limit. The options are ${list}`],
    [
      () => api.crm.contacts.list({}, from({ singal: null })),
      `there is no option singal. Did you mean signal? The options are ${list}`,
    ],
    [
      () => api.crm.GET('/users', from({ timeuot: 5 })),
      `there is no option timeuot. Did you mean timeout? The options are ${list}, params, body`,
    ],
    [
      () => api.email.GET('/smtp/emails', from({ params: { querry: { limit: 1 } } })),
      'there is no params.querry. Did you mean query? The params are path, query',
    ],
    [
      () => api.email.GET('/smtp/emails', from({ params: { header: { authorization: 'Bearer other' } } })),
      'there is no params.header. The params are path, query',
    ],
  ];
  test.each(calls)('is invalid with a suggestion and the list of options: %s', async (call, message) => {
    const error = await call().then(() => 'sent', keep);
    expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no', parameter: undefined });
    expect(error).toHaveProperty('message', expect.stringContaining(`${message}; nothing was sent`));
    expect(sent).toEqual([]);
  });
});

describe('a signal', () => {
  const { api, sent } = sending();
  test.each<[unknown, string]>([
    [new AbortController(), 'signal is an AbortController: pass controller.signal'],
    ['now', 'signal must be an AbortSignal'],
    [{}, 'signal must be an AbortSignal'],
    [new EventTarget(), 'signal must be an AbortSignal'],
    [{ aborted: false }, 'signal must be an AbortSignal'],
  ])('is invalid at both levels: %o', async (signal, message) => {
    const refusal = { name: 'ArgumentError', message: expect.stringContaining(`${message}; nothing was sent`) };
    await expect(api.crm.deals.create(deal, { signal: from(signal) })).rejects.toMatchObject(refusal);
    await expect(api.crm.GET('/users', { signal: from(signal) })).rejects.toMatchObject(refusal);
    await expect(api.crm.contacts.list({}, { signal: from(signal) })).rejects.toMatchObject(refusal);
    expect(sent).toEqual([]);
  });

  test('is accepted from another realm, or as null', async () => {
    const { api } = sending();
    const { signal } = new AbortController();
    const foreign = {
      aborted: false,
      reason: undefined,
      addEventListener: signal.addEventListener.bind(signal),
      removeEventListener: signal.removeEventListener.bind(signal),
    };
    await api.crm.users.list({ signal: from(foreign) });
    await api.crm.users.list({ signal: from(null) });
  });
});

test('throws for an invalid header by its name, without its value', async () => {
  const { api, sent } = sending();
  const wrong: Record<string, string>[] = [{ 'X-Name': 'private\nwords' }, { 'X Name': 'private words' }];
  for (const headers of wrong) {
    const error = await api.crm.users.list({ headers }).then(() => 'sent', keep);
    const [name] = Object.keys(headers);
    expect(error).toMatchObject({ message: `GET /users: the header "${name}" is not valid; nothing was sent` });
  }
  expect(sent).toEqual([]);
});

describe("the stack of an ArgumentError begins at the caller's line", () => {
  const { api } = sending();
  const bad = { ...deal, price: Number.NaN };
  const calls: [string, () => PromiseLike<unknown>][] = [
    ['a method', () => api.crm.deals.create(bad)],
    ['a method without parameters', () => api.crm.users.list(from(['limit']))],
    ['a call by path', () => api.crm.POST('/deals', { body: bad })],
    // @ts-expect-error: no such path
    ['an unknown path', () => api.crm.GET('/nothing')],
    ['a list', () => api.crm.contacts.list({ limit: Number.NaN })],
    ['a body of GET', () => api.crm.GET('/users', from({ body: {} }))],
    ['an option', () => api.crm.deals.create(deal, from({ timeuot: 5 }))],
    [
      'an attachment',
      () =>
        api.email.messages.send(
          from({ subject: 'a', from: {}, to: [], template: {}, attachments_binary: { 'a.txt': new Blob(), b: 1 } }),
        ),
    ],
  ];
  test.each(calls)('%s', async (_, call) => {
    const error = await Promise.resolve(call()).then(() => 'sent', keep);
    expect(error).toMatchObject({ name: 'ArgumentError' });
    const [first, frame] = error instanceof Error ? (error.stack ?? '').split('\n') : [];
    expect(first).toMatch(/^ArgumentError: /);
    expect(frame).toContain('arguments.test.ts');
  });

  test('even on a deep stack', async () => {
    const deep = (level: number): PromiseLike<unknown> => (level > 0 ? deep(level - 1) : api.crm.deals.create(bad));
    const error = await Promise.resolve(deep(30)).then(() => 'sent', keep);
    expect(error).toHaveProperty('stack', expect.stringMatching(/^.*\n.*arguments\.test\.ts/));
  });
});

test('a list with invalid arguments starts on first use, and always fails the same', async () => {
  const { api } = sending();
  const list = api.crm.contacts.list({ limit: Number.NaN });
  await expect(list).rejects.toMatchObject({ name: 'ArgumentError', parameter: 'limit' });
  await expect(list.toArray({ max: 1 })).rejects.toMatchObject({ name: 'ArgumentError', parameter: 'limit' });
});
