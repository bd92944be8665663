import { expect, test } from 'vitest';
import { collect, numbers, over } from './paged-client.ts';

type Answer = (offset: number, limit: number, count: number) => { list: unknown[]; total?: unknown };

/** Contacts, with a documented maximum of 100, answered by a function of offset and limit. */
const contactsBy = (answer: Answer) =>
  over(({ body }, count) => ({ data: answer(Number(body?.offset ?? 0), Number(body?.limit), count) }));
const offsets = (asked: { body: Record<string, unknown> | undefined }[]) => asked.map(({ body }) => body?.offset ?? 0);
const endedAt = (count: number, total: number) => [
  [`carillon: POST /contacts/get-list ended after ${count} of ${total} items`],
];

test('loses no items if a service caps pages below the requested limit, because the total decides', async () => {
  const { api, asked, warn } = contactsBy((offset) => ({ list: numbers(offset, 50), total: 2_000 }));
  expect(await collect(api.crm.contacts.list())).toEqual(numbers(0, 2_000));
  expect(asked).toHaveLength(40);
  expect(warn).not.toHaveBeenCalled();
});

test('requests an empty page in the middle again, and omits no item', async () => {
  let isEmpty = true;
  const { api, asked, warn } = contactsBy((offset, limit) => {
    if (offset !== 100 || !isEmpty) return { list: numbers(offset, Math.min(limit, 300 - offset)), total: 300 };
    isEmpty = false;
    return { list: [], total: 300 };
  });
  expect(await collect(api.crm.contacts.list())).toEqual(numbers(0, 300));
  expect(offsets(asked)).toEqual([0, 100, 100, 200]);
  expect(warn).not.toHaveBeenCalled();
});

test('a page that is empty twice ends the list, and the error has its offset to resume', async () => {
  const { api, warn } = contactsBy((offset, limit) => ({
    list: offset === 10 ? [] : numbers(offset, Math.min(limit, 25 - offset)),
    total: 25,
  }));
  const list = api.crm.contacts.list({ limit: 10 });
  await expect(list.toArray({ max: 100, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
    items: numbers(0, 10),
    nextOffset: 10,
  });
  expect(warn.mock.calls).toEqual(endedAt(10, 25));
});

test('a total that is text still shows that items are missing', async () => {
  const { api } = contactsBy((offset) => ({ list: numbers(offset, offset < 10 ? 10 : 0), total: '25' as never }));
  await expect(api.crm.contacts.list().toArray({ max: 100, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
  });
});

test.each([['25'], [25], ['25 contacts'], ['about 25'], [true], [null], [['25']], [{ of: 25 }]])(
  'reads the total %j only if it is a number or its digits',
  async (total) => {
    const { api } = contactsBy(() => ({ list: numbers(0, 2), total }));
    const { value: page } = await api.crm.contacts.list().pages()[Symbol.asyncIterator]().next();
    expect(page?.total).toBe(total === '25' || total === 25 ? 25 : undefined);
  },
);

test('two empty pages end the list, with a warning below the total', async () => {
  const { api, asked, warn } = contactsBy((offset) => ({ list: numbers(offset, offset < 50 ? 50 : 0), total: 12_000 }));
  expect(await collect(api.crm.contacts.list())).toEqual(numbers(0, 50));
  expect(asked).toHaveLength(3);
  expect(warn.mock.calls).toEqual(endedAt(50, 12_000));
});

test('a list with a total but no items ends with a warning', async () => {
  const { api, asked, warn } = contactsBy(() => ({ list: [], total: 5 }));
  expect(await collect(api.crm.contacts.list({ limit: 2 }))).toEqual([]);
  expect(asked).toHaveLength(2);
  expect(warn.mock.calls).toEqual(endedAt(0, 5));
});

test('warns if a total shrinks between pages, because items may have been skipped', async () => {
  let records = numbers(0, 250);
  const { api, warn } = contactsBy((offset, limit, count) => {
    if (count === 2) records = records.slice(10);
    return { list: records.slice(offset, offset + limit), total: records.length };
  });
  expect(await collect(api.crm.contacts.list())).toHaveLength(240);
  expect(warn.mock.calls).toEqual(endedAt(240, 250));
});

test.each([0, -1, 20, 249])('a total of %d that the items contradict does not end the list', async (total) => {
  const { api, warn } = contactsBy((offset, limit) => ({
    list: numbers(offset, Math.min(limit, 250 - offset)),
    total,
  }));
  expect(await collect(api.crm.contacts.list())).toEqual(numbers(0, 250));
  expect(warn).not.toHaveBeenCalled();
});

test('trusts a total that the items reach exactly, to save a request per list', async () => {
  const { api, asked, warn } = contactsBy((offset, limit) => ({
    list: numbers(offset, Math.min(limit, 250 - offset)),
    total: 100,
  }));
  expect(await collect(api.crm.contacts.list())).toEqual(numbers(0, 100));
  expect(asked).toHaveLength(1);
  expect(warn).not.toHaveBeenCalled();
});

test('warns once if pages overlap, because items may be missing', async () => {
  // Filters after cutting the page, and counts only visible records.
  const visible = (id: number) => id % 5 !== 0;
  const { api, warn } = contactsBy((offset, limit) => {
    const list = numbers(offset, Math.min(limit, 1_000 - offset)).filter(({ id }) => visible(id));
    return { list, total: 800 };
  });
  await collect(api.crm.contacts.list());
  expect(warn.mock.calls).toEqual([['carillon: POST /contacts/get-list repeats items; other items may be missing']]);
});

test('a list that starts beyond its total is empty without a warning', async () => {
  const { api, asked, warn } = contactsBy(() => ({ list: [], total: 5 }));
  expect(await collect(api.crm.contacts.list({ offset: 9 }))).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(warn).not.toHaveBeenCalled();
});

test("items before the caller's offset do not count as missing", async () => {
  const { api, warn } = contactsBy((offset, limit) => ({
    list: numbers(offset, Math.min(limit, 250 - offset)),
    total: 250,
  }));
  expect(await collect(api.crm.contacts.list({ offset: 240 }))).toEqual(numbers(240, 10));
  expect(warn).not.toHaveBeenCalled();
});

test('the warning counts from the requested offset', async () => {
  const { api, warn } = contactsBy((offset) => ({ list: numbers(offset, offset < 250 ? 10 : 0), total: 12_000 }));
  expect(await collect(api.crm.contacts.list({ offset: 240 }))).toEqual(numbers(240, 10));
  expect(warn.mock.calls).toEqual(endedAt(10, 11_760));
});

test('pages() warns like an iteration over items', async () => {
  const { api, warn } = contactsBy((offset) => ({ list: numbers(offset, offset < 50 ? 50 : 0), total: 12_000 }));
  for await (const _ of api.crm.contacts.list().pages());
  expect(warn.mock.calls).toEqual(endedAt(50, 12_000));
});

test('an open filter without paging and limit warns that its page is incomplete', async () => {
  const { api, warn } = over(() => ({ data: numbers(0, 20), meta: { total: 500, searchRequest: '' } }));
  expect((await api.crm.deals.list()).nextOffset).toBeUndefined();
  expect(warn.mock.calls).toEqual([['carillon: POST /deals/get-list ended after 20 of 500 items']]);
});
