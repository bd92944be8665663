import { afterEach, expect, test, vi } from 'vitest';
import { assemble } from '../../../src/client/assemble.ts';
import { createProductContext } from '../../../src/client/core/call.ts';
import { createMethods } from '../../../src/client/core/methods.ts';
import { placeFields } from '../../../src/client/core/prepare.ts';
import { readSettings } from '../../../src/client/core/settings.ts';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { createProductClient } from '../../../src/client/product-client.ts';
import type { Operation, OperationRecord } from '../../../src/shared/operation.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** An operation by method and path, with a custom record. */
function operation(key: string, record: Partial<OperationRecord> = {}): Operation {
  const [method = '', path = ''] = key.split(' ');
  return { method, path, record: { id: 'test', method: 'things.get', ...record } };
}

test("puts flat parameters where the operation's record says: path, query or body", () => {
  expect(
    placeFields(operation('GET /push/websites/{id}/subscriptions', { params: { id: 'path' } }), { id: 7, limit: 5 }),
  ).toEqual({
    path: { id: 7 },
    query: { limit: 5 },
  });
  const comment = { dealId: 1, commentId: 2, message: 'Hello' };
  const params = { dealId: 'path', commentId: 'path' } as const;
  expect(placeFields(operation('PUT /deals/{dealId}/comments/{commentId}', { params }), comment)).toEqual({
    path: { dealId: 1, commentId: 2 },
    query: {},
    body: { message: 'Hello' },
  });
  expect(placeFields(operation('DELETE /smtp/unsubscribe'), { emails: ['ann@example.com'] })).toEqual({
    path: {},
    query: {},
    body: { emails: ['ann@example.com'] },
  });
});

test('a query beside a body has only the fields in the record', () => {
  const params = { id: 'path', notify: 'query' } as const;
  const placed = placeFields(operation('POST /things/{id}', { params }), { id: 7, notify: true, name: 'x' });
  expect(placed).toEqual({ path: { id: 7 }, query: { notify: true }, body: { name: 'x' } });
});

test('a request without body fields has no body', () => {
  const contact = { dealId: 1, contactId: 2 };
  const params = { dealId: 'path', contactId: 'path' } as const;
  const { body } = placeFields(operation('POST /deals/{dealId}/contacts/{contactId}', { params }), contact);
  expect(body).toBeUndefined();
});

test('leaves a field without an encoding unchanged', () => {
  const value = { html: '<p>' };
  expect(placeFields(operation('POST /things'), { value }).body).toEqual({ value });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'treats a field named %s like any other',
  (name) => {
    const params: Record<string, unknown> = JSON.parse(`{"${name}": {"polluted": "yes"}, "html": "foo"}`);
    const record = { encode: { html: 'base64Text' } } as const;
    const { body } = placeFields(operation('POST /smtp/emails', record), params);
    expect(JSON.stringify(body)).toBe(`{"${name}":{"polluted":"yes"},"html":"Zm9v"}`);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  },
);

/** A client with a fixed answer that records its requests. */
function answering(answer: () => Response, options: Partial<ClientOptions> = {}) {
  const sent: { url: string; init: RequestInit; headers: Headers }[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'key' },
    logger: { warn: () => undefined },
    fetch: async (url, init) => {
      sent.push({ url, init, headers: new Headers(init.headers) });
      return answer();
    },
    ...options,
  });
  return { api, sent };
}

test('a method returns the payload, and withResponse the metadata, too', async () => {
  const { api } = answering(() => Response.json({ data: [{ id: 1 }], total: 9 }, { headers: { 'X-Id': 'abc' } }));
  expect(await api.crm.deals.contacts.list({ dealId: 501 })).toEqual([{ id: 1 }]);
  const { data, meta, response } = await api.crm.contacts.listDeals({ contactId: 3001 }).withResponse();
  expect([data, meta, response.headers.get('x-id')]).toEqual([[{ id: 1 }], { total: 9 }, 'abc']);
});

test('a method throws the error that a call by path returns', async () => {
  const { api } = answering(() => Response.json({ message: 'No such deal' }, { status: 404 }));
  const { error } = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  expect(error).toMatchObject({ name: 'NotFoundError', operationId: 'getDeal' });
  await expect(api.crm.deals.get({ dealId: 501 })).rejects.toMatchObject({
    name: 'NotFoundError',
    message: 'GET /deals/{dealId} (getDeal) failed with HTTP status 404: No such deal',
  });
});

test('a bad argument rejects asynchronously, and no request is sent', async () => {
  const { api, sent } = answering(() => Response.json({}));
  const calls = [
    // @ts-expect-error: an integer is wanted
    () => api.crm.deals.get({ dealId: '..' }),
    // @ts-expect-error: the parameter is missing
    () => api.crm.deals.get(),
    // @ts-expect-error: null is no object of parameters
    () => api.crm.deals.get(null),
    () => api.email.messages.get({ id: '%2e%2e' }),
    () => api.crm.deals.get({ dealId: 501 }, { headers: { 'X-Name': 'a\r\nX-Admin: 1' } }),
    () => api.crm.deals.get({ dealId: 501 }, { headers: { 'X Name': 'a' } }),
  ];
  for (const call of calls) {
    const pending = call();
    await expect(pending).rejects.toMatchObject({ name: 'ArgumentError', sent: 'no' });
  }
  expect(sent).toEqual([]);
});

test('options of a call override those of the client', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { api, sent } = answering(() => new Response(null, { status: 503 }), {
    headers: { 'X-App': 'a', 'X-Team': 'b' },
  });
  await expect(api.crm.users.list({ maxRetries: 1, headers: { 'X-App': 'c' } })).rejects.toThrow('503');
  expect(sent.map(({ headers }) => [headers.get('X-App'), headers.get('X-Team')])).toEqual([
    ['c', 'b'],
    ['c', 'b'],
  ]);
});

test("a call's own timeout applies", async () => {
  const { api } = answering(() => Response.json({}), { fetch: () => new Promise<never>(() => undefined) });
  await expect(api.crm.users.list({ timeout: 5 })).rejects.toMatchObject({
    name: 'DeadlineError',
    message: 'GET /users (listUsers) took longer than 5 ms',
  });
});

test.each(['authorization', 'Authorization', 'AUTHORIZATION'])(
  'throws for a call with the header %s, because it would run as another account',
  async (name) => {
    const { api, sent } = answering(() => Response.json({ data: [] }));
    const message = expect.stringMatching(/create a client for each account, or set auth: null/);
    await expect(api.crm.users.list({ headers: { [name]: 'Bearer other' } })).rejects.toMatchObject({
      name: 'ArgumentError',
      sent: 'no',
      message,
    });
    expect(sent).toEqual([]);
  },
);

test('methods work when detached from the client', async () => {
  const { api } = answering(() => Response.json({ data: { id: 501 } }));
  const { get } = api.crm.deals;
  expect(await get({ dealId: 501 })).toEqual({ id: 501 });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'throws for %d in a body, a query and an encoded field, because JSON would send null',
  async (number) => {
    const { api, sent } = answering(() => Response.json({ data: { list: [] } }));
    const calls = [
      api.crm.deals.create({ pipelineId: 1, stepId: 11, price: number }),
      api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, price: number } }),
      api.messaging.push.campaigns.list({ limit: number }).withResponse(),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'ArgumentError', sent: 'no' });
    expect(sent).toEqual([]);
    await api.crm.contacts.list({ firstName: 'null' });
    expect(sent).toHaveLength(1);
  },
);

test('groups have no inherited names, so that none is written onto the global Object', () => {
  const record = { id: 'listThings', method: 'constructor.listThings', bare: true } as const;
  const table = { base: '', operations: { '/things': { GET: record } } };
  const options = { baseUrl: 'https://api.example.com', auth: null };
  const methods: { constructor: object } = createMethods(
    table,
    createProductContext('', readSettings(options), { token: () => undefined }),
  );
  expect(Object.hasOwn(Object, 'listThings')).toBe(false);
  expect(Object.keys(methods.constructor)).toEqual(['listThings']);
});

test.each([
  ['POST', 1],
  ['PUT', 3],
])(
  'a %s whose response is lost is sent %d time(s): only a method that HTTP calls idempotent is repeated',
  async (method, times) => {
    vi.useFakeTimers();
    const record = { id: 'updateThing', method: 'things.update', bare: true } as const;
    const table = { base: '', operations: { '/things': { [method]: record } } };
    const fetch = vi.fn(async () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })));
    const options = { baseUrl: 'https://api.example.com', auth: null, fetch, maxRetries: 2 };
    const { things } = assemble(options, (settings, authorizer) =>
      createProductClient<object, { things: { update(): Promise<unknown> } }>(table, settings, authorizer),
    );
    const call = expect(things.update()).rejects.toThrow('lost the connection');
    await vi.runAllTimersAsync();
    await call;
    expect(fetch).toHaveBeenCalledTimes(times);
  },
);
