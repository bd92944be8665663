import { deepStrictEqual } from 'node:assert';
import { expect, test } from 'vitest';
import { contacts, numbers, over } from './paged-client.ts';

test('a page is data: offset and nextOffset are next to its items', async () => {
  const { api } = contacts();
  const page = await api.crm.contacts.list({ limit: 90, offset: 100 });
  expect({ ...page }).toStrictEqual({
    data: numbers(100, 90),
    total: 250,
    meta: { total: 250 },
    offset: 100,
    nextOffset: 190,
  });
  const last = await page.nextPage();
  expect({ ...last }).toStrictEqual({ data: numbers(190, 60), total: 250, meta: { total: 250 }, offset: 190 });
});

test.each([
  ['structuredClone', (page: unknown) => structuredClone(page)],
  ['JSON', (page: unknown) => JSON.parse(JSON.stringify(page))],
])('a page survives %s', async (_, copy) => {
  const { api } = contacts();
  const page = await api.crm.contacts.list();
  deepStrictEqual(copy(page), { ...page });
  expect(copy(page)).toEqual(page);
  const empty = await over(() => []).api.email.messages.list();
  deepStrictEqual(copy(empty), { data: [], offset: 0 });
});

test('pages with equal data are equal', async () => {
  const [one, other] = await Promise.all([contacts(), contacts()].map(({ api }) => api.crm.contacts.list()));
  expect(one).toStrictEqual(other);
  deepStrictEqual(one, other);
  expect(one).not.toEqual(await contacts().api.crm.contacts.list({ offset: 1 }));
});

test('a page behind a proxy, as reactive frameworks make one, still leads to the next', async () => {
  const { api } = contacts();
  const page = new Proxy(await api.crm.contacts.list(), {});
  expect(page.hasNextPage()).toBe(true);
  expect((await page.nextPage()).data).toEqual(numbers(100, 100));
});
