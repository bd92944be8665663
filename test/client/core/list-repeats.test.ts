import { expect, test } from 'vitest';
import { collect, numbers, over } from './paged-client.ts';

/** Returns the same twenty messages for any offset, with one changing field. */
const ignoringOffset = () =>
  over((_, count) => numbers(0, 20).map((item) => ({ ...item, checkedAt: `request ${count}` })));

/** A list whose pages come in this order for any offset. The last page repeats. */
const pagesOf = (...pages: { id: number }[][]) => over((_, count) => pages[Math.min(count, pages.length) - 1]);

test('ends the list if the service ignores the offset, even if a field of each item changes', async () => {
  const { api, asked, warn } = ignoringOffset();
  expect((await collect(api.email.messages.list())).map(({ id }) => id)).toEqual(numbers(0, 20).map(({ id }) => id));
  expect(asked).toHaveLength(2);
  expect(warn.mock.calls).toEqual([['carillon: GET /smtp/emails repeats a page; the list ends here']]);
});

test('complete: true rejects if the service ignores the offset, even if a total hides it', async () => {
  await expect(ignoringOffset().api.email.messages.list().toArray({ max: 99, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
    message: 'GET /smtp/emails repeats a page; the list ends here',
    items: { length: 20 },
    nextOffset: 20,
  });
  const { api } = over((_, count) => ({
    data: { list: numbers(0, 10).map((item) => ({ ...item, count })), total: 30 },
  }));
  const error = api.crm.contacts.list().toArray({ max: 99, complete: true });
  await expect(error).rejects.toMatchObject({ name: 'IncompleteListError', items: { length: 10 } });
});

test('pages({ complete: true }) rejects instead of returning a page that shows the list to be incomplete', async () => {
  const seen: number[] = [];
  const read = async (): Promise<void> => {
    for await (const page of ignoringOffset().api.email.messages.list().pages({ complete: true }))
      seen.push(page.data.length);
  };
  await expect(read()).rejects.toMatchObject({
    name: 'IncompleteListError',
    message: 'GET /smtp/emails repeats a page; the list ends here',
    items: { length: 0 },
    nextOffset: 20,
    operationId: 'listEmailMessages',
  });
  expect(seen).toEqual([20]);
});

test('pages({ complete: true }) returns every page of a list that reaches its total', async () => {
  const { api } = over(({ body }) => {
    const offset = Number(body?.offset ?? 0);
    return { data: { list: numbers(offset, Math.min(10, 30 - offset)), total: 30 } };
  });
  const ids: number[] = [];
  for await (const page of api.crm.contacts.list().pages({ complete: true }))
    ids.push(...page.data.map(({ id }) => id));
  expect(ids).toEqual(numbers(0, 30).map(({ id }) => id));
});

test('warns of a page that repeats items of the page before, and goes on', async () => {
  const { api, warn } = pagesOf(numbers(0, 5), [...numbers(4, 1), ...numbers(5, 4)], []);
  expect(await collect(api.email.messages.list())).toHaveLength(10);
  expect(warn.mock.calls).toEqual([['carillon: GET /smtp/emails repeats items; other items may be missing']]);
});

test('complete: true rejects if a page repeats items of the page before', async () => {
  const { api } = pagesOf(numbers(0, 5), [...numbers(4, 1), ...numbers(5, 4)], []);
  await expect(api.email.messages.list().toArray({ max: 99, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
    message: 'GET /smtp/emails repeats items; other items may be missing',
    items: { length: 10 },
  });
});

test('complete: true compares an item with those of all pages, not only the previous one', async () => {
  const { api } = pagesOf(numbers(0, 5), numbers(5, 5), numbers(10, 5), [...numbers(7, 1), ...numbers(15, 4)], []);
  await expect(api.email.messages.list().toArray({ max: 99, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
    message: 'GET /smtp/emails repeats items; other items may be missing',
    items: { length: 20 },
  });
});

test('complete: true rejects if one page has an item twice', async () => {
  const { api } = pagesOf([...numbers(0, 3), ...numbers(0, 1)], []);
  await expect(api.email.messages.list().toArray({ max: 99, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
  });
});

test('compares items without an id by their JSON', async () => {
  const rows = (from: number) => [{ email: `ann${from}@example.com` }, { email: `bob${from}@example.com` }];
  const { api } = over((_, count) => (count < 3 ? rows(count) : []));
  expect(await api.email.unsubscribes.list().toArray({ max: 9, complete: true })).toEqual([...rows(1), ...rows(2)]);
  const same = over((_, count) => (count < 3 ? rows(1) : []));
  await expect(same.api.email.unsubscribes.list().toArray({ max: 9, complete: true })).rejects.toMatchObject({
    items: rows(1),
  });
});

test('compares items with text ids by those', async () => {
  const { api } = over((_, count) => [{ id: 'msg-1', count }, { id: 'msg-2' }]);
  await expect(api.email.messages.list().toArray({ max: 9, complete: true })).rejects.toMatchObject({
    items: [{ id: 'msg-1', count: 1 }, { id: 'msg-2' }],
  });
});

test('complete: true without a total accepts only an empty page as the end', async () => {
  const cut = over(({ url }) => {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    return numbers(offset, Math.min(50, 120 - offset));
  });
  // 100 is the documented maximum of `limit`, but this service returns 50.
  const list = cut.api.messaging.push.campaigns.list();
  expect(await list.toArray({ max: 999 })).toEqual(numbers(0, 50));
  expect(await list.toArray({ max: 999, complete: true })).toEqual(numbers(0, 120));
});

test('complete: true rejects if the list states no total and is not paged', async () => {
  const { api } = over(() => ({ data: numbers(0, 20) }));
  await expect(api.crm.deals.list().toArray({ max: 99, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
    message: "POST /deals/get-list has no total, and is not paged because 'limit' is not set",
    items: numbers(0, 20),
    nextOffset: 20,
  });
  expect(await api.crm.deals.list().toArray({ max: 99 })).toEqual(numbers(0, 20));
  const withTotal = over(() => ({ data: numbers(0, 20), meta: { total: 20 } }));
  expect(await withTotal.api.crm.deals.list().toArray({ max: 99, complete: true })).toEqual(numbers(0, 20));
  const empty = over(() => ({ data: [] }));
  expect(await empty.api.crm.deals.list().toArray({ max: 99, complete: true })).toEqual([]);
});

test('complete: true without a total accepts an open filter that is paged by a limit', async () => {
  const { api } = over(({ body }) => ({ data: numbers(Number(body?.offset ?? 0), body?.offset === 4 ? 0 : 2) }));
  // An undocumented field, which a user declares by augmentation.
  const filter = { pipelineId: 1, limit: 2 };
  expect(await api.crm.deals.list(filter).toArray({ max: 99, complete: true })).toEqual(numbers(0, 4));
});

test('complete: true checks for more items after max items', async () => {
  const response = (count: number) => over((_, page) => (page === 1 ? numbers(0, 20) : numbers(20, count)));
  const exact = response(0).api.email.messages.list();
  expect(await exact.toArray({ max: 20, complete: true })).toEqual(numbers(0, 20));
  const more = response(1).api.email.messages.list();
  await expect(more.toArray({ max: 20, complete: true })).rejects.toMatchObject({
    message: "GET /smtp/emails has more than 'max' items",
    items: numbers(0, 20),
    nextOffset: 20,
  });
  const none = response(0).api.email.messages.list();
  await expect(none.toArray({ max: 0, complete: true })).rejects.toMatchObject({ items: [], nextOffset: 0 });
});

/** JSON of an object nested to the given depth. */
const nested = (depth: number, core: string) => `${'{"a":'.repeat(depth)}${core}${'}'.repeat(depth)}`;
const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } });

test('returns items nested too deeply for JSON.stringify', async () => {
  const page = (...cores: string[]) => json(`[${cores.map((core) => nested(8_000, core))}]`);
  const { api } = over((_, count) => (count === 1 ? page('1', '2') : count === 2 ? page('3') : json('[]')));
  const list = api.email.unsubscribes.list();
  expect((await list).data).toHaveLength(2);
  const other = over((_, count) => (count === 1 ? page('1', '2') : count === 2 ? page('3') : json('[]')));
  expect(await other.api.email.unsubscribes.list().toArray({ max: 9, complete: true })).toHaveLength(3);
});

test('a deeply nested response that is not a list is an error', async () => {
  const { api } = over(() => json(nested(8_000, '1')));
  await expect(collect(api.email.unsubscribes.list())).rejects.toMatchObject({ name: 'ResponseError' });
});
