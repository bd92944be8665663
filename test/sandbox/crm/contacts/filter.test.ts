import { beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import type { Sandbox } from '../../../../src/sandbox/index.ts';
import { day, rejectionOf, start, startAt } from '../../support.ts';

type Filter = NonNullable<Parameters<Client['crm']['contacts']['list']>[0]>;

const ann = 3001;
const ben = 3002;
let sandbox: Sandbox;
let api: Client;
/** Anna Kovacs, added on 2026-11-04 at 12:00. */
let anna: number;

beforeEach(async () => {
  ({ sandbox, api } = start());
  ({ id: anna } = await api.crm.contacts.createLegacy({
    responsibleId: 78,
    firstName: 'Anna',
    lastName: 'Kovacs',
    phones: ['+36 (1) 555-0199'],
    emails: ['anna@kovacs.example'],
    messengers: [{ typeId: 2, login: 'AnnaK' }],
    tags: [16],
    attributes: [{ attributeId: 311, value: '["Music"]' }],
  }));
});

async function found(filter: Filter): Promise<number[]> {
  const { data, total } = await api.crm.contacts.list(filter);
  expect(total).toBe(data.length);
  return data.map(({ id }) => id);
}

test('lists all contacts by ID without a filter', async () => {
  expect(await found({})).toEqual([ann, ben, anna]);
  const { response } = await api.crm.POST('/contacts/get-list');
  expect(response.status).toBe(200);
});

test('finds contacts by the days of their creation, inclusive [contact-list-created-range]', async () => {
  expect(await found({ from: '2026-11-02', to: '2026-11-02' })).toEqual([ann, ben]);
  expect(await found({ from: '2026-11-03' })).toEqual([anna]);
  expect(await found({ to: '2026-11-03' })).toEqual([ann, ben]);
  expect(await found({ from: '2026-11-04', to: '2026-11-04' })).toEqual([anna]);
  expect(await found({ from: '2026-11-05' })).toEqual([]);
  for (const from of ['02.11.2026', '2026-13-01', '2026-11-02 10:00']) {
    expect(await rejectionOf(api.crm.contacts.list({ from }))).toMatchObject({ status: 422 });
  }
});

test('finds contacts by the days of their update [contact-list-updated-range]', async () => {
  sandbox.clock.freeze(startAt + 2 * day);
  expect(await found({ updateFrom: '2026-11-05' })).toEqual([]);
  await api.crm.contacts.update({ contactId: ann, responsibleId: 77 });
  await api.crm.contacts.phones.create({ contactId: anna, phone: '1' });
  expect(await found({ updateFrom: '2026-11-05' })).toEqual([ann, anna]);
  expect(await found({ updateFrom: '2026-11-06', updateTo: '2026-11-06' })).toEqual([ann, anna]);
  expect(await found({ updateTo: '2026-11-05' })).toEqual([ben]);
  expect(await found({ from: '2026-11-02', to: '2026-11-02', updateFrom: '2026-11-06' })).toEqual([ann]);
});

test.each<[string, (contactId: number) => PromiseLike<unknown>]>([
  ['a note', (contactId) => api.crm.contacts.comments.create({ contactId, message: 'x' })],
  ['an email', (contactId) => api.crm.contacts.emails.create({ contactId, emails: [{ email: 'b@example.com' }] })],
  ['a messenger', (contactId) => api.crm.contacts.messengers.create({ contactId, typeId: 1, login: 'b' })],
  ['a tag', (contactId) => api.crm.tags.assign({ contactId, tagId: 15 })],
  ['a value', (contactId) => api.crm.contacts.attributes.create({ contactId, attributeId: 311, value: '[]' })],
])('%s counts as an update', async (_name, change) => {
  sandbox.clock.advance(2 * day);
  await change(ben);
  expect(await found({ updateFrom: '2026-11-06' })).toEqual([ben]);
});

test('finds contacts by first and last name [contact-list-name-search]', async () => {
  expect(await found({ firstName: 'Ann' })).toEqual([ann, anna]);
  expect(await found({ firstName: 'anna' })).toEqual([anna]);
  expect(await found({ lastName: 'KO' })).toEqual([ann, anna]);
  expect(await found({ firstName: 'Ann', lastName: 'Kowal' })).toEqual([ann]);
  expect(await found({ firstName: 'Kowal' })).toEqual([]);
});

test.each<[string, Filter, () => number[]]>([
  ['responsible team members', { responsibleIds: [78] }, () => [ben, anna]],
  ['any of several', { responsibleIds: [77, 78] }, () => [ann, ben, anna]],
  ['source type', { sourceType: [1, 3] }, () => [ann]],
  ['phone', { phone: '+15550100123' }, () => [ann]],
  ['part of a phone', { phone: '15550100' }, () => [ann, ben]],
  ['phone with signs', { phone: '+1 (555) 010-0124' }, () => [ben]],
  ['phone that is stored with signs', { phone: '3615550199' }, () => [anna]],
  ['phone that is not valid', { phone: 'none' }, () => []],
  ['email', { email: 'ann.kowal@example.com' }, () => [ann]],
  ['part of an email', { email: 'EXAMPLE.com' }, () => [ann, ben]],
  ['messenger login', { messengerLogin: 'annak' }, () => [anna]],
  ['location', { location: 'kyi' }, () => [ann]],
  ['tags', { tagIds: [15, 16] }, () => [ann, anna]],
  ['messenger types', { messengerTypeIds: [1, 3] }, () => [ann]],
  ['IDs', { ids: [3002, 4711] }, () => [ben]],
  ['attribute', { attributes: { attributeId: 310, value: '1990-05-14 00:00' } }, () => [ann]],
  ['option', { attributes: [{ attributeId: 311, value: 'Music' }] }, () => [anna]],
  [
    'attributes that are equal, all of them',
    {
      attributes: [
        { attributeId: 311, value: 'Tea' },
        { attributeId: 310, value: 'x' },
      ],
    },
    () => [],
  ],
  ['several fields', { responsibleIds: [78], email: 'anna', tagIds: [16] }, () => [anna]],
  ['several fields of which one does not fit', { responsibleIds: [77], email: 'anna' }, () => []],
])('finds contacts by %s', async (_name, filter, expected) => {
  expect(await found(filter)).toEqual(expected());
});

test('treats an empty text or list as missing', async () => {
  const texts = { firstName: '', lastName: '', phone: '', email: '', messengerLogin: '', location: '' };
  const lists = {
    responsibleIds: [],
    sourceType: [],
    tagIds: [],
    messengerTypeIds: [],
    ids: [],
    fieldValueConditions: [],
  };
  for (const attributes of [null, [], {}]) expect(await found({ ...texts, ...lists, attributes })).toHaveLength(3);
});

test('ignores attributes in an unknown shape, and says so in the response', async () => {
  const { data, response } = await api.crm.contacts.list({ attributes: { 311: 'Tea' } }).withResponse();
  expect(data.data).toHaveLength(3);
  expect(response.headers.get('x-sandbox-choice')).toContain('contact-filter-attributes');
});

test('sourceType is 1 to 10 except 7', async () => {
  for (const sourceType of [1, 2, 3, 4, 5, 6, 8, 9, 10] as const) await found({ sourceType: [sourceType] });
  for (const sourceType of [0, 7, 11]) {
    const { error } = await api.crm.POST('/contacts/get-list', { body: JSON.parse(`{"sourceType":[${sourceType}]}`) });
    expect(error?.status).toBe(422);
  }
});

test('attributeIds shapes the attributes of contacts without excluding contacts [contact-list-attribute-ids-shape-responses]', async () => {
  const { data, total } = await api.crm.contacts.list({ attributeIds: [310] });
  expect(total).toBe(3);
  expect(data.map(({ attributes }) => attributes)).toMatchObject([[{ attributeId: 310 }], [], []]);
  const all = await api.crm.contacts.list();
  expect(all.data.map(({ attributes }) => attributes?.length)).toEqual([2, 0, 1]);
  await api.crm.contacts.list({ attributeIds: Array.from({ length: 50 }, (_, index) => index) });
  for (const attributeIds of [[], Array.from({ length: 51 }, (_, index) => index)]) {
    expect(await rejectionOf(api.crm.contacts.list({ attributeIds }))).toMatchObject({ status: 422 });
  }
});
