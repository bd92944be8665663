import { expect, test } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import { sortedPage } from '../../../../src/sandbox/crm/contacts/sort.ts';
import fc from '../../../fast-check.ts';
import { rejectionOf, start } from '../../support.ts';

type Filter = NonNullable<Parameters<Client['crm']['contacts']['list']>[0]>;

test.each<[Filter['sortBy'], string[]]>([
  [undefined, ['Ann', 'Ben', 'Zoe', 'Ada', '']],
  [{ fieldName: 'id' }, ['Ann', 'Ben', 'Zoe', 'Ada', '']],
  [{ direction: 'desc' }, ['', 'Ada', 'Zoe', 'Ben', 'Ann']],
  [{ fieldName: 'first_name', direction: 'asc' }, ['', 'Ada', 'Ann', 'Ben', 'Zoe']],
  [{ fieldName: 'first_name', direction: 'desc' }, ['Zoe', 'Ben', 'Ann', 'Ada', '']],
  [{ fieldName: 'created_at', direction: 'asc' }, ['Ann', 'Ben', 'Zoe', 'Ada', '']],
  [{ fieldName: 'created_at', direction: 'desc' }, ['', 'Ada', 'Zoe', 'Ben', 'Ann']],
  [{ fieldName: 'responsible_id', direction: 'asc' }, ['Ann', 'Zoe', '', 'Ben', 'Ada']],
  [{ fieldName: 'responsible_id', direction: 'desc' }, ['Ben', 'Ada', 'Ann', 'Zoe', '']],
  [{ fieldName: 'attributeId' }, ['Ann', 'Ben', 'Zoe', 'Ada', '']],
])('sorts a list by %j', async (sortBy, expected) => {
  const { sandbox, api } = start();
  for (const fields of [
    { firstName: 'Zoe', responsibleId: 77 },
    { firstName: 'Ada', responsibleId: 78 },
    { responsibleId: 77 },
  ]) {
    sandbox.clock.advance(1_000);
    await api.crm.contacts.create(fields);
  }
  const { data } = await api.crm.contacts.list(sortBy ? { sortBy } : {});
  expect(data.map(({ firstName = '' }) => firstName)).toEqual(expected);
});

test('sorts non-numeric values before all numbers if the attribute has become a number', async () => {
  const { api } = start();
  const { id: attributeId } = await api.crm.contactAttributes.create({ name: 'Visits', type: 0 });
  const values = ['3', 'often', '1', '', '2'];
  for (const value of values) {
    const { id: contactId } = await api.crm.contacts.create({ responsibleId: 77, firstName: value });
    await api.crm.contacts.attributes.create({ contactId, attributeId, value });
  }
  await api.crm.contactAttributes.update({ attributeId, name: 'Visits', order: 3, type: 1 });
  const sortBy = { fieldName: 'attributeId', direction: 'asc' } as const;
  const { data } = await api.crm.contacts.list({ sortBy, attributeIds: [attributeId] });
  expect(data.map(({ firstName }) => firstName)).toEqual(['Ann', 'Ben', 'often', '', '1', '2', '3']);
});

test('sorts a list by the value of the first of attributeIds, and compares numbers as numbers', async () => {
  const { api } = start();
  const { id: attributeId } = await api.crm.contactAttributes.create({ name: 'Visits', type: 1 });
  await api.crm.contacts.attributes.create({ contactId: 3001, attributeId, value: '10' });
  await api.crm.contacts.attributes.create({ contactId: 3002, attributeId, value: '9' });
  const { id } = await api.crm.contacts.create({ responsibleId: 77 });
  const sorted = async (direction: 'asc' | 'desc', first: number): Promise<number[]> => {
    const filter: Filter = { sortBy: { fieldName: 'attributeId', direction }, attributeIds: [first, 310] };
    return (await api.crm.contacts.list(filter)).data.map((contact) => contact.id);
  };
  expect(await sorted('asc', attributeId)).toEqual([id, 3002, 3001]);
  expect(await sorted('desc', attributeId)).toEqual([3001, 3002, id]);
  expect(await sorted('desc', 311)).toEqual([3001, 3002, id]);
});

test('pages do not overlap and have no gaps', async () => {
  const { api } = start({ seed: 250 });
  const sortBy = { fieldName: 'responsible_id', direction: 'desc' } as const;
  const ids: number[] = [];
  for (let offset = 0; offset < 252; offset += 50) {
    const page = await api.crm.contacts.list({ sortBy, limit: 50, offset });
    expect(page.total).toBe(252);
    ids.push(...page.data.map(({ id }) => id));
  }
  expect(new Set(ids).size).toBe(252);
  expect((await api.crm.contacts.list({ sortBy, offset: 252 })).data).toEqual([]);
  const all: number[] = [];
  for await (const { id } of api.crm.contacts.list({ sortBy })) all.push(id);
  expect(all).toEqual(ids);
});

test('a page has 1 to 100 contacts, by default 100', async () => {
  const { api } = start({ seed: 150 });
  for (const limit of [1, 100]) expect((await api.crm.contacts.list({ limit })).data).toHaveLength(limit);
  expect((await api.crm.POST('/contacts/get-list')).data).toHaveLength(100);
  for (const limit of [0, 101]) {
    expect(await rejectionOf(api.crm.contacts.list({ limit }))).toMatchObject({ status: 422, choice: 'request-shape' });
  }
  expect(await rejectionOf(api.crm.contacts.list({ offset: -1 }))).toMatchObject({ status: 422 });
});

test('a sorted page equals the same page of the fully sorted list', () => {
  const entries = fc.oneof(fc.array(fc.integer({ min: 0, max: 20 })), fc.array(fc.integer()), fc.array(fc.string()));
  const place = fc.record({ offset: fc.nat(30), limit: fc.integer({ min: 1, max: 30 }) });
  fc.assert(
    fc.property(entries, place, fc.boolean(), (keys: (number | string)[], { offset, limit }, isDescending) => {
      const items = keys.map((key, index) => ({ key, index }));
      const sign = isDescending ? -1 : 1;
      const sorted = items.toSorted((one, other) => (one.key < other.key ? -sign : one.key > other.key ? sign : 0));
      const page = sortedPage(items, { key: ({ key }) => key, isDescending }, { offset, limit });
      expect(page).toEqual(sorted.slice(offset, offset + limit));
    }),
  );
});

test('finds an email in full or in part [contact-email-full-search]', async () => {
  const { api } = start();
  await api.crm.contacts.emails.create({ contactId: 3002, emails: [{ email: 'kowal.ben@example.com' }] });
  const found = async (email: string, isEmailFullSearch?: boolean): Promise<number[]> => {
    const page = await api.crm.contacts.listByEmail({
      email,
      ...(isEmailFullSearch !== undefined && { isEmailFullSearch }),
    });
    return page.map(({ id }) => id);
  };
  expect(await found('kowal', true)).toEqual([3001, 3002]);
  expect(await found('ann.kowal@example.com', true)).toEqual([3001]);
  expect(await found('@EXAMPLE.COM', true)).toEqual([3001, 3002]);
  expect(await found('nobody', true)).toEqual([]);
  for (const isFull of [false, undefined]) {
    expect(await found('Ann.Kowal@example.com', isFull)).toEqual([3001]);
    expect(await found('kowal', isFull)).toEqual([]);
  }
});

test('a search by email counts all contacts and returns a page; without an email, it finds none', async () => {
  const { api } = start({ seed: 150 });
  const { meta, data } = await api.crm.contacts
    .listByEmail({ email: 'example', isEmailFullSearch: true })
    .withResponse();
  expect(meta.total).toBe(152);
  expect(data).toHaveLength(100);
  for (const search of [{}, { email: '' }, { isEmailFullSearch: true }]) {
    expect(await api.crm.contacts.listByEmail(search)).toHaveLength(0);
  }
});

test('a response names the choices that shaped it', async () => {
  const { api } = start();
  const { response } = await api.crm.contacts.list({ firstName: 'n', from: '2026-11-01' }).withResponse();
  const choices = response.headers.get('x-sandbox-choice')?.split(', ');
  expect(choices).toEqual(
    expect.arrayContaining([
      'contact-filter-text',
      'contact-filter-dates',
      'contact-filter-combination',
      'contact-sort-default',
    ]),
  );
});
