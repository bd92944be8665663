import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { nextOffset, type PageState } from '../../src/core/list.ts';
import type { Paging } from '../../src/core/operation.ts';
import { createClient } from '../../src/index.ts';

const open: Paging = { in: 'query', limit: 'limit', offset: 'offset' };
const capped: Paging = { ...open, maximum: 100 };
const inferred: Paging = { ...open, inferred: true };
const page = (state: Partial<PageState>): PageState => ({
  received: 10,
  offset: 0,
  limit: undefined,
  total: undefined,
  repeated: false,
  ...state,
});

test.each<[string, Paging, Partial<PageState>, number | undefined]>([
  ['the next offset is offset + items received', open, { offset: 30, received: 7 }, 37],
  ['an empty page is the end', open, { received: 0 }, undefined],
  ['an empty page is the end, whatever the total says', open, { received: 0, total: 99 }, undefined],
  ['the total reached is the end', open, { offset: 90, total: 100 }, undefined],
  ['the total passed is the end', open, { offset: 95, total: 100 }, undefined],
  ['below the total it goes on', open, { offset: 89, total: 100 }, 99],
  ['a page that repeats is the end', open, { repeated: true, total: 100 }, undefined],
  ['a short page is no end where no maximum is documented', open, { limit: 50 }, 10],
  ['a page shorter than asked within the maximum is the end', capped, { limit: 50 }, undefined],
  ['a page as long as asked is no end', capped, { limit: 10 }, 10],
  ['a page longer than asked is no end', capped, { limit: 5 }, 10],
  ['the maximum itself is within it', capped, { limit: 100, received: 99 }, undefined],
  ['more asked than the maximum: a short page is no end', capped, { limit: 101, received: 100 }, 100],
  ['an open filter without a limit is one page', inferred, {}, undefined],
  ['an open filter with a limit goes on', inferred, { limit: 10 }, 10],
])('%s', (_, paging, state, expected) => {
  expect(nextOffset(paging, page(state))).toBe(expected);
});

interface Asked {
  url: URL;
  body: Record<string, unknown> | undefined;
}

/** A client over a function that answers with the JSON it gives; what was asked is kept. */
function over(answer: (asked: Asked, count: number) => unknown) {
  const asked: Asked[] = [];
  const warn = vi.fn();
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    logger: { warn },
    maxRetries: 0,
    fetch: async (url, { body }) => {
      const request = { url: new URL(url), body: typeof body === 'string' ? JSON.parse(body) : undefined };
      asked.push(request);
      const reply = answer(request, asked.length);
      return reply instanceof Response ? reply : Response.json(reply);
    },
  });
  return { api, asked, warn };
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: from + index }));

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** A service with 250 contacts, 100 for a page at most. */
const contacts = () =>
  over(({ body }) => {
    const offset = Number(body?.offset ?? 0);
    const count = Math.min(Number(body?.limit ?? 20), 100, 250 - offset);
    return { data: { list: numbers(offset, count), total: 250 } };
  });

test('a list sends nothing until it is used', () => {
  const { api, asked } = contacts();
  api.crm.contacts.list();
  expect(asked).toEqual([]);
});

test('for await gives every item in order, page after page, asking for the documented maximum', async () => {
  const { api, asked } = contacts();
  expect(await collect(api.crm.contacts.list({ firstName: 'Ann' }))).toEqual(numbers(0, 250));
  expect(asked.map(({ body }) => body)).toEqual([
    { firstName: 'Ann', limit: 100 },
    { firstName: 'Ann', limit: 100, offset: 100 },
    { firstName: 'Ann', limit: 100, offset: 200 },
  ]);
});

test('await gives a page, and pages lead to the next until the last', async () => {
  const { api } = contacts();
  let current = await api.crm.contacts.list({ limit: 90, offset: 100 });
  expect(current).toMatchObject({ data: numbers(100, 90), total: 250, meta: { total: 250 } });
  expect(current.hasNextPage()).toBe(true);
  current = await current.nextPage();
  expect(current.data).toEqual(numbers(190, 60));
  expect(current.hasNextPage()).toBe(false);
  await expect(current.nextPage()).rejects.toThrow(RangeError);
});

test('no limit is sent where none is given or documented, and no offset for the first page', async () => {
  const { api, asked } = over(() => []);
  await api.email.messages.list({ sender: 'ann@example.com' });
  await api.email.messages.list({ limit: 5, offset: 0 });
  expect(asked.map(({ url }) => url.search)).toEqual(['?sender=ann%40example.com', '?limit=5&offset=0']);
});

test('a service that caps limit without a word loses nothing: short pages go on to an empty one', async () => {
  const { api, asked } = over(({ url }) => {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    return numbers(offset, Math.min(30, 70 - offset));
  });
  expect(await collect(api.email.messages.list({ limit: 50 }))).toEqual(numbers(0, 70));
  expect(asked.map(({ url }) => url.searchParams.get('offset'))).toEqual([null, '30', '60', '70']);
});

test('the open filter of deals pages only when the caller gives a limit', async () => {
  const { api, asked } = over(({ body }) => ({ data: numbers(Number(body?.offset ?? 0), body?.offset === 4 ? 0 : 2) }));
  expect(await collect(api.crm.deals.list({ pipelineId: 1 }))).toEqual(numbers(0, 2));
  expect(asked.map(({ body }) => body)).toEqual([{ pipelineId: 1 }]);
  asked.length = 0;
  expect(await collect(api.crm.deals.list({ pipelineId: 1, limit: 2 }))).toEqual(numbers(0, 4));
  expect(asked.map(({ body }) => body?.offset)).toEqual([undefined, 2, 4]);
});

test('a service that ignores the offset ends the list with a warning, and no item comes twice', async () => {
  const { api, asked, warn } = over(() => numbers(0, 20));
  expect(await collect(api.email.messages.list())).toEqual(numbers(0, 20));
  expect(asked).toHaveLength(2);
  expect(warn.mock.calls).toEqual([['carillon: GET /smtp/emails gives the same page again; the list ends here']]);
});

test('toArray collects at most max items and asks for no page beyond', async () => {
  const { api, asked } = contacts();
  expect(await api.crm.contacts.list().toArray({ max: 150 })).toEqual(numbers(0, 150));
  expect(asked).toHaveLength(2);
  expect(await api.crm.contacts.list().toArray({ max: 100 })).toEqual(numbers(0, 100));
  expect(asked).toHaveLength(3);
  expect(await api.crm.contacts.list().toArray({ max: 1_000 })).toEqual(numbers(0, 250));
  expect(await api.crm.contacts.list().toArray({ max: Number.POSITIVE_INFINITY })).toEqual(numbers(0, 250));
});

test('toArray wants a max that is one, and sends nothing for 0', async () => {
  const { api, asked } = contacts();
  for (const max of [-1, Number.NaN]) {
    await expect(api.crm.contacts.list().toArray({ max })).rejects.toThrow(RangeError);
  }
  expect(await api.crm.contacts.list().toArray({ max: 0 })).toEqual([]);
  expect(asked).toEqual([]);
});

test('one list used in several ways at once asks for its first page once, and every use gets everything', async () => {
  const { api, asked } = contacts();
  const list = api.crm.contacts.list();
  const [first, all, whole, again] = await Promise.all([list, collect(list), list.withResponse(), collect(list)]);
  expect([first.data, all, again]).toEqual([numbers(0, 100), numbers(0, 250), numbers(0, 250)]);
  expect(whole.data).toBe(first);
  expect(whole.response.status).toBe(200);
  // One first page for all four; pages 2 and 3 for each iteration.
  expect(asked.map(({ body }) => body?.offset ?? 0).sort()).toEqual([0, 100, 100, 200, 200]);
});

test('leaving a loop early asks for nothing more', async () => {
  const { api, asked } = contacts();
  for await (const { id } of api.crm.contacts.list()) if (id === 120) break;
  expect(asked).toHaveLength(2);
});

test('a failure on a later page comes after the items before it', async () => {
  const { api } = over((_, count) =>
    count === 1 ? numbers(0, 3) : Response.json({ message: 'down' }, { status: 500 }),
  );
  const items: unknown[] = [];
  const run = async (): Promise<void> => {
    for await (const item of api.email.messages.list()) items.push(item);
  };
  await expect(run()).rejects.toMatchObject({ name: 'ServerError', operationId: 'listEmailMessages' });
  expect(items).toEqual(numbers(0, 3));
});

test('a failed first page fails each use of the list alike, and makes no unhandled rejection', async () => {
  const { api, asked } = over(() => Response.json({}, { status: 403 }));
  const list = api.crm.contacts.list();
  const uses = [collect(list), list.toArray({ max: 5 }), list.withResponse(), Promise.resolve(list)];
  const results = await Promise.allSettled(uses);
  expect(results).toMatchObject(results.map(() => ({ status: 'rejected', reason: { name: 'PermissionDeniedError' } })));
  expect(asked).toHaveLength(1);
});

test('an abort between pages ends the iteration with its reason', async () => {
  const { api, asked } = contacts();
  const controller = new AbortController();
  const run = async (): Promise<void> => {
    for await (const { id } of api.crm.contacts.list({}, { signal: controller.signal })) {
      if (id === 50) controller.abort('enough');
    }
  };
  await expect(run()).rejects.toBe('enough');
  expect(asked).toHaveLength(1);
});

test.each([
  ['null', { data: { list: null, total: 0 } }],
  ['an empty body', new Response(null, { status: 204 })],
])('%s in the place of a list is an empty list', async (_, reply) => {
  const { api } = over(() => reply);
  const list = api.crm.contacts.list();
  expect((await list).data).toEqual([]);
  expect(await collect(list)).toEqual([]);
});

test.each([
  ['an object', { data: { list: { 0: { id: 1 } } } }],
  ['a text', { data: { list: 'abc' } }],
  ['a body without the documented key', { items: [{ id: 1 }] }],
])('%s in the place of a list is shown by await as it is, and fails an iteration as unreadable', async (_, reply) => {
  const { api, asked } = over(() => reply);
  const list = api.crm.contacts.list();
  const first = await list;
  expect(first.data).toEqual('data' in reply ? reply.data.list : reply);
  expect(first.hasNextPage()).toBe(false);
  await expect(collect(list)).rejects.toMatchObject({
    name: 'ResponseError',
    status: 200,
    operationId: 'listContacts',
    message: 'POST /contacts/get-list answered with something else than a list',
  });
  expect(asked).toHaveLength(1);
});

test('memory stays flat over a million items', { timeout: 120_000 }, async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: unknown = runInNewContext('gc');
  if (typeof collectGarbage !== 'function') return expect.unreachable();
  const held = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const size = 10_000;
  const { api, asked } = over(({ url }) => {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    return numbers(offset, Math.min(size, 1_000_000 - offset));
  });
  let count = 0;
  let early = 0;
  for await (const _ of api.email.messages.list({ limit: size })) {
    count += 1;
    if (count === 100_000) early = held();
  }
  expect([count, asked.length]).toEqual([1_000_000, 101]);
  // Kept, the other 900,000 items would be some 50 MB.
  expect(held() - early).toBeLessThan(15_000_000);
});
