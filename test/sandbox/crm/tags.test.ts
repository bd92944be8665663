import { expect, test } from 'vitest';
import { expectChoice, rejectionOf, start } from '../support.ts';

test('creates, changes and deletes tags', async () => {
  const { api } = start();
  const { id } = await api.crm.tags.create({ name: 'Partner', colorText: '#000000', colorBackground: '#ffd54f' });
  expect(await api.crm.tags.update({ tagId: id, name: 'Partners', colorText: '#ffffff' })).toEqual({
    id,
    name: 'Partners',
    colorText: '#ffffff',
    colorBackground: '#ffd54f',
  });
  await api.crm.tags.assign({ tagId: id, contactId: 3001 });
  await api.crm.tags.delete({ tagId: id });
  expect((await api.crm.tags.list()).map((tag) => tag.id)).not.toContain(id);
  expect((await api.crm.contacts.get({ contactId: 3001 })).tags).toMatchObject([{ id: 15 }]);
  await expectChoice(api.crm.tags.delete({ tagId: id }), 'unknown-record', 404);
  await expectChoice(api.crm.tags.update({ tagId: id, name: 'x' }), 'unknown-record', 404);
});

test('a tag counts the contacts that have it', async () => {
  const { sandbox, api } = start();
  const count = (): number => sandbox.state.crm.contactsByTag.keys(15).size;
  expect(count()).toBe(1);
  await api.crm.tags.assign({ tagId: 15, contactId: 3002 });
  expect(count()).toBe(2);
  const again = await api.crm.tags.assign({ tagId: 15, contactId: 3002 }).withResponse();
  expect(again.response.status).toBe(201);
  expect(count()).toBe(2);
  expect((await api.crm.contacts.list({ tagIds: [15] })).total).toBe(2);
  expect((await api.crm.contacts.get({ contactId: 3002 })).tags).toMatchObject([{ id: 15, name: 'VIP' }]);
  await api.crm.tags.unassign({ tagId: 15, contactId: 3002 });
  expect(count()).toBe(1);
  await expectChoice(api.crm.tags.unassign({ tagId: 15, contactId: 3002 }), 'tag-not-borne', 404);
  await api.crm.contacts.delete({ contactId: 3001 });
  expect(count()).toBe(0);
  await expectChoice(api.crm.tags.assign({ tagId: 99, contactId: 3002 }), 'unknown-record', 404);
});

test('finds tags by their whole name [tag-list-name-exact]', async () => {
  const { api } = start();
  await api.crm.tags.create({ name: 'VIP guest' });
  const named = async (name: string): Promise<(string | undefined)[]> =>
    (await api.crm.tags.list({ name })).map((tag) => tag.name);
  expect(await named('VIP')).toEqual(['VIP']);
  for (const name of ['VI', 'vip', 'VIP guests']) expect(await named(name)).toEqual([]);
  expect(await named('')).toHaveLength(3);
});

test('finds tags by a part of their name [tag-list-search-partial]', async () => {
  const { api } = start();
  await api.crm.tags.create({ name: 'VIP guest' });
  const found = async (query: { search: string; name?: string }): Promise<(string | undefined)[]> =>
    (await api.crm.tags.list(query)).map((tag) => tag.name);
  expect(await found({ search: 'VI' })).toEqual(['VIP', 'VIP guest']);
  expect(await found({ search: 'guest' })).toEqual(['VIP guest']);
  expect(await found({ search: 'letter' })).toEqual(['Newsletter']);
  expect(await found({ search: 'nothing' })).toEqual([]);
  expect(await found({ search: 'V', name: 'VIP guest' })).toEqual(['VIP guest']);
});

test('a name has at most 64 characters in searches and on create, 255 on update', async () => {
  const { api } = start();
  const name = (length: number): string => 'x'.repeat(length);
  const { id } = await api.crm.tags.create({ name: name(64) });
  await api.crm.tags.update({ tagId: id, name: name(255) });
  await api.crm.tags.list({ name: name(64), search: name(64) });
  const rejected = [
    api.crm.tags.create({ name: name(65) }),
    api.crm.tags.update({ tagId: id, name: name(256) }),
    api.crm.tags.list({ name: name(65) }),
    api.crm.tags.list({ search: name(65) }),
  ];
  for (const call of rejected) expect(await rejectionOf(call)).toMatchObject({ status: 422, choice: 'request-shape' });
});
