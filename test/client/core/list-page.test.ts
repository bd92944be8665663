import { deepStrictEqual } from 'node:assert';
import { expect, test } from 'vitest';
import { contacts, numbers, over } from './paged-client.ts';

test('offset and nextOffset are properties of a page beside its items', async () => {
  const { api } = contacts();
  const pages = [];
  for await (const page of api.crm.contacts.list({ limit: 90, offset: 100 }).pages()) pages.push(page);
  expect(pages).toStrictEqual([
    { data: numbers(100, 90), total: 250, meta: { total: 250 }, offset: 100, nextOffset: 190 },
    { data: numbers(190, 60), total: 250, meta: { total: 250 }, offset: 190 },
  ]);
});

/** React's rules for an object that a server component passes to a client component. */
function isPlain(value: object): boolean {
  const names = Object.getOwnPropertyNames(value);
  return (
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.getOwnPropertySymbols(value).length === 0 &&
    names.every((name) => Object.getOwnPropertyDescriptor(value, name)?.enumerable)
  );
}

test('a page is a plain object, which can cross the boundary of a React server component', async () => {
  const list = contacts().api.crm.contacts.list();
  expect(isPlain(await list)).toBe(true);
  expect(isPlain((await list.withResponse()).data)).toBe(true);
  for await (const page of list.pages()) expect(isPlain(page)).toBe(true);
});

test.each([
  ['structuredClone', (page: unknown) => structuredClone(page)],
  ['JSON', (page: unknown) => JSON.parse(JSON.stringify(page))],
])('a page survives %s', async (_, copy) => {
  const { api } = contacts();
  const page = await api.crm.contacts.list();
  deepStrictEqual(copy(page), page);
  const empty = await over(() => []).api.email.messages.list();
  deepStrictEqual(copy(empty), { data: [], offset: 0 });
});

test('pages with equal data are equal', async () => {
  const [one, other] = await Promise.all([contacts(), contacts()].map(({ api }) => api.crm.contacts.list()));
  expect(one).toStrictEqual(other);
  deepStrictEqual(one, other);
  expect(one).not.toEqual(await contacts().api.crm.contacts.list({ offset: 1 }));
});

test('an awaited page that is shorter than the requested limit is the last one, without a total', async () => {
  const { api } = over(() => ({ data: { list: numbers(0, 10) } }));
  expect(await api.crm.contacts.list({ limit: 50 })).toStrictEqual({ data: numbers(0, 10), offset: 0 });
});
