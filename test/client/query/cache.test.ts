import {
  dehydrate,
  hydrate,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core';
import { expect, onTestFinished, test } from 'vitest';
import { createCrmClient } from '../../../src/client/crm.ts';
import { createClient } from '../../../src/client/index.ts';
import { createQuery } from '../../../src/client/query/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { failureOf, setUp } from './support.ts';

test('equal data keeps its identity on refetch: records, pages and infinite lists', async () => {
  const { cache, query, sent } = setUp(undefined, 5);
  const record = query.crm.deals.get.options({ dealId: 501 });
  const page = query.crm.contacts.list.options({ limit: 2 });
  const pages = query.crm.contacts.list.infinite({ limit: 2 });
  const before = [await cache.fetchQuery(record), await cache.fetchQuery(page), await cache.fetchInfiniteQuery(pages)];
  expect(before[1]).toMatchObject({ data: [{ id: expect.any(Number) }, {}], total: expect.any(Number), nextOffset: 2 });
  await cache.refetchQueries({ queryKey: query.crm.key }, { throwOnError: true });
  expect(sent).toHaveLength(2 * before.length);
  const after = [
    cache.getQueryData(record.queryKey),
    cache.getQueryData(page.queryKey),
    cache.getQueryData(pages.queryKey),
  ];
  for (const [index, data] of before.entries()) expect(after[index]).toBe(data);
});

test('a change of one record keeps the others of its list identical', async () => {
  const { api, cache, query } = setUp();
  const options = query.crm.deals.list.options();
  const before = await cache.fetchQuery(options);
  const [{ id: dealId } = { id: 0 }] = before.data;
  await api.crm.deals.changePipeline({ dealId, pipelineId: 1, stepId: 12 });
  await cache.refetchQueries({ queryKey: options.queryKey });
  const after = cache.getQueryData(options.queryKey);
  expect(after?.data[0]).not.toBe(before.data[0]);
  expect(after?.data[1]).toBe(before.data[1]);
});

test('an infinite list pages in the body of a POST until it reaches the total', async () => {
  const { api, cache, query, sent } = setUp(undefined, 5);
  const { total = 0 } = await api.crm.contacts.list({ limit: 1 });
  const observer = new InfiniteQueryObserver(cache, query.crm.contacts.list.infinite({ limit: 2 }));
  onTestFinished(observer.subscribe(() => undefined));
  sent.length = 0;
  await observer.refetch();
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
  const ids = observer.getCurrentResult().data?.pages.flatMap(({ data }) => data.map(({ id }) => id)) ?? [];
  expect(total).toBeGreaterThan(2);
  expect([ids.length, new Set(ids).size]).toEqual([total, total]);
  expect(new Set(sent)).toEqual(new Set(['POST /crm/v1/contacts/get-list']));
});

test('an infinite list begins at the offset of its parameters, and ends if items repeat', async () => {
  let requests = 0;
  const { cache, query } = setUp(() => async () => {
    requests += 1;
    const items = [1, 2].map((id) => ({ id, checkedAt: requests }));
    return Response.json({ data: { list: items, total: 100 } });
  });
  const options = query.crm.contacts.list.infinite({ limit: 2, offset: 10 });
  const { pages, pageParams } = await cache.fetchInfiniteQuery({ ...options, pages: 2 });
  expect(pageParams).toEqual([10, 12]);
  expect([
    options.getNextPageParam(pages[0] ?? failPage(), pages.slice(0, 1)),
    options.getNextPageParam(pages[1] ?? failPage(), pages),
  ]).toEqual([12, undefined]);
});

function failPage(): never {
  throw new Error('The page is missing');
}

test.each([
  ['a status', () => Response.json({ message: 'Down' }, { status: 503 })],
  ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
])('the cache does not retry a query that failed with %s, even if its defaults do', async (_, answer) => {
  const { cache, query, sent } = setUp(() => async () => answer());
  await failureOf(cache.fetchQuery(query.crm.deals.get.options({ dealId: 501 })));
  await failureOf(cache.fetchInfiniteQuery(query.crm.contacts.list.infinite()));
  expect(sent).toHaveLength(2);
});

test('the cache never repeats a mutation that may have been processed', async () => {
  const { cache, query, sent } = setUp((next) => async (url, init) => {
    await next(url, init);
    throw new TypeError('terminated');
  });
  const mutation = new MutationObserver(cache, query.crm.boards.create.mutation());
  expect(await failureOf(mutation.mutate({ name: 'Ideas' }))).toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
  expect(sent).toEqual(['POST /crm/v1/boards']);
});

test('an unmounted query aborts its request without an error', async () => {
  const aborted: unknown[] = [];
  const { cache, query } = setUp(
    () =>
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted.push(signal.reason);
            reject(signal.reason);
          });
        }),
  );
  const options = query.crm.deals.list.options();
  const results: unknown[] = [];
  const stop = new QueryObserver(cache, options).subscribe(({ error }) => results.push(error));
  await expect.poll(() => cache.isFetching()).toBe(1);
  // The request is sent in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  stop();
  await expect.poll(() => aborted.length).toBe(1);
  expect(cache.getQueryState(options.queryKey)).toMatchObject({ status: 'pending', fetchStatus: 'idle', error: null });
  expect(results.filter(Boolean)).toEqual([]);
});

test('a mutation refetches only stale queries in use', async () => {
  const { cache, query, sent } = setUp();
  const used = [
    query.crm.deals.list.options(),
    query.crm.deals.get.options({ dealId: 501 }),
    query.crm.contacts.listDeals.options({ contactId: 301 }),
    query.crm.pipelines.list.options(),
  ];
  for (const options of used) onTestFinished(new QueryObserver<unknown>(cache, options).subscribe(() => undefined));
  await expect.poll(() => cache.isFetching()).toBe(0);
  sent.length = 0;
  const move = new MutationObserver(cache, query.crm.deals.changePipeline.mutation());
  await move.mutate({ dealId: 501, pipelineId: 1, stepId: 12 });
  expect(sent.sort()).toEqual([
    'GET /crm/v1/contacts/301/deals',
    'GET /crm/v1/deals/501',
    'POST /crm/v1/deals/501/change-pipeline',
    'POST /crm/v1/deals/get-list',
  ]);
  expect(cache.getQueryState(used[3]?.queryKey ?? [])?.isInvalidated).toBe(false);
});

test("a rejected mutation returns the client's error, and refetches to replace optimistic data", async () => {
  const { cache, query, sent } = setUp();
  const options = query.crm.deals.get.options({ dealId: 501 });
  onTestFinished(new QueryObserver(cache, options).subscribe(() => undefined));
  await expect.poll(() => cache.isFetching()).toBe(0);
  sent.length = 0;
  const move = new MutationObserver(cache, query.crm.deals.changePipeline.mutation());
  const error = await failureOf(move.mutate({ dealId: 501, pipelineId: 1, stepId: 999_999 }));
  expect(error).toMatchObject({ name: 'UnprocessableEntityError', operationId: 'changeDealPipeline' });
  expect(sent).toEqual(['POST /crm/v1/deals/501/change-pipeline', 'GET /crm/v1/deals/501']);
});

test.each<[string, <T>(data: T) => T]>([
  ['JSON, as a server and a persister write it', (data) => JSON.parse(JSON.stringify(data))],
  ['structuredClone, as IndexedDB and workers copy it', structuredClone],
])('cached data survives %s, and the next cache finds it under the same keys', async (_, copy) => {
  const { api, cache, query } = setUp(undefined, 5);
  const page = query.email.messages.list.options({ limit: 2 });
  const pages = query.crm.contacts.list.infinite({ limit: 2 });
  await Promise.all([cache.prefetchQuery(page), cache.prefetchInfiniteQuery(pages)]);
  const next = new QueryClient();
  onTestFinished(() => next.clear());
  hydrate(next, copy(dehydrate(cache)));
  const again = createQuery(api);
  expect(next.getQueryData(again.email.messages.list.options({ limit: 2 }).queryKey)).toEqual(
    cache.getQueryData(page.queryKey),
  );
  const held = next.getQueryData(again.crm.contacts.list.infinite({ limit: 2 }).queryKey);
  expect(held).toEqual(cache.getQueryData(pages.queryKey));
  expect(pages.getNextPageParam(held?.pages[0] ?? failPage(), held?.pages ?? [])).toBe(2);
});

test('keys of a resource, an operation and its parameters share prefixes', () => {
  const { crm } = setUp().query;
  expect(crm.key).toEqual(['crm']);
  expect(crm.deals.key).toEqual(['crm', 'deals']);
  expect(crm.deals.comments.list.key).toEqual(['crm', 'deals', 'comments', 'list']);
  expect(crm.deals.list.options().queryKey).toEqual(['crm', 'deals', 'list', {}]);
  expect(crm.deals.list.infinite({ limit: 5 }).queryKey).toEqual(['crm', 'deals', 'list', { limit: 5 }, 'infinite']);
});

test('clients of single parts have the same keys as a full client, and a prefix keeps accounts apart', async () => {
  const sandbox = createSandbox();
  const options = { baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch };
  const own = createQuery({ crm: createCrmClient(options) });
  expect(Object.keys(own)).toEqual(['crm']);
  expect(own.crm.users.list.options().queryKey).toEqual(
    createQuery(createClient(options)).crm.users.list.options().queryKey,
  );
  const second = createQuery(createClient(options), { prefix: ['account', '2'] });
  expect(second.crm.users.list.options().queryKey).toEqual(['account', '2', 'crm', 'users', 'list', {}]);
  expect(second.crm.tags.create.stale[0]).toEqual(['account', '2', 'crm', 'tags']);
  const cache = new QueryClient();
  onTestFinished(() => cache.clear());
  expect(await cache.fetchQuery(own.crm.users.list.options())).not.toHaveLength(0);
});
