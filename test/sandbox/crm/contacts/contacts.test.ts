import { expect, test } from 'vitest';
import { expectChoice, expectRule, minute, rejectionOf, start, startAt } from '../../support.ts';

test('has the contact of the story with its details', async () => {
  const { api } = start();
  expect(await api.crm.contacts.get({ contactId: 3001 })).toMatchObject({
    id: 3001,
    responsibleId: 77,
    firstName: 'Ann',
    lastName: 'Kowal',
    phones: [{ id: 6101, phone: '+15550100123' }],
    emails: [{ id: 6201, email: 'ann.kowal@example.com', isMain: true }],
    messengers: [{ id: 6301, typeId: 1, login: 'annkowal' }],
    tags: [{ id: 15, name: 'VIP' }],
    attributes: [
      { attributeId: 310, value: '1990-05-14 00:00', type: 2 },
      { attributeId: 311, value: '["Hiking","Tea"]', type: 5, options: ['Hiking', 'Music', 'Tea'] },
    ],
  });
});

test('reads, updates and deletes a created contact', async () => {
  const { sandbox, api } = start();
  const fields = { responsibleId: 77, firstName: 'Cem', lastName: 'Oz', externalContactId: 'import-9' };
  const { id, ...created } = await api.crm.contacts.create(fields);
  expect(created).toEqual({ ...fields, phones: [], emails: [], messengers: [], tags: [], attributes: [] });
  sandbox.clock.advance(minute);
  expect(await api.crm.contacts.update({ contactId: id, responsibleId: 78, lastName: 'Ozan' })).toMatchObject({
    responsibleId: 78,
    firstName: 'Cem',
    lastName: 'Ozan',
    externalContactId: 'import-9',
  });
  expect(await api.crm.contacts.get({ contactId: id })).toMatchObject({ responsibleId: 78, lastName: 'Ozan' });
  expect(sandbox.state.crm.contacts.get(id)).toMatchObject({ createdAt: startAt, updatedAt: startAt + minute });
  await api.crm.contacts.delete({ contactId: id });
  await expectChoice(api.crm.contacts.get({ contactId: id }), 'unknown-record', 404);
});

test('never reuses IDs', async () => {
  const { api } = start();
  const { id } = await api.crm.contacts.create({ responsibleId: 77 });
  await api.crm.contacts.delete({ contactId: id });
  expect((await api.crm.contacts.create({ responsibleId: 77 })).id).toBeGreaterThan(id);
});

test('only active invited team members can be made responsible for a contact [users-are-assignable]', async () => {
  const { sandbox, api } = start();
  for (const responsibleId of [77, 78]) {
    expect(await api.crm.contacts.create({ responsibleId })).toMatchObject({ responsibleId });
  }
  const before = sandbox.state.crm.contacts.size;
  const rejected = [79, 80, 4711, 0];
  for (const responsibleId of rejected) {
    await expectRule(api.crm.contacts.create({ responsibleId }), 'users-are-assignable');
    await expectRule(api.crm.contacts.createLegacy({ responsibleId }), 'users-are-assignable');
    await expectRule(api.crm.contacts.update({ contactId: 3001, responsibleId }), 'users-are-assignable');
  }
  expect(sandbox.state.crm.contacts.size).toBe(before);
  expect(await api.crm.contacts.get({ contactId: 3001 })).toMatchObject({ responsibleId: 77 });
});

test('an empty sandbox accepts any responsible team member', async () => {
  const { api } = start({ seed: false });
  const { data, response } = await api.crm.contacts.create({ responsibleId: 1 }).withResponse();
  expect(data.responsibleId).toBe(1);
  expect(response.headers.get('x-sandbox-choice')).toContain('no-team');
});

test('a contact needs a responsible team member', async () => {
  const { api } = start();
  const call = api.crm.POST('/contacts/create', { body: JSON.parse('{"firstName":"Ann"}') });
  expect((await call).response.status).toBe(422);
});

test('lists the deals of a contact; its deletion removes it from deals and tags', async () => {
  const { sandbox, api } = start();
  expect(await api.crm.contacts.listDeals({ contactId: 3001 })).toMatchObject([{ id: 501, contact: [3001] }]);
  expect(await api.crm.contacts.listDeals({ contactId: 3002 })).toEqual([]);
  await api.crm.deals.contacts.add({ dealId: 501, contactId: 3002 });
  expect(await api.crm.contacts.listDeals({ contactId: 3002 })).toMatchObject([{ id: 501 }]);
  await api.crm.contacts.delete({ contactId: 3001 });
  expect(await api.crm.deals.contacts.list({ dealId: 501 })).toMatchObject([{ id: 3002 }]);
  expect(sandbox.state.crm.contactsByTag.keys(15).size).toBe(0);
});

test('an unknown contact gets status 404 in all operations', async () => {
  const { api } = start();
  const contactId = 9;
  const calls = [
    api.crm.contacts.get({ contactId }),
    api.crm.contacts.update({ contactId, responsibleId: 77 }),
    api.crm.contacts.delete({ contactId }),
    api.crm.contacts.listDeals({ contactId }),
    api.crm.contacts.comments.create({ contactId, message: 'Hello' }),
    api.crm.contacts.phones.create({ contactId, phone: '1' }),
    api.crm.contacts.emails.create({ contactId }),
    api.crm.contacts.messengers.create({ contactId, typeId: 1, login: 'a' }),
    api.crm.contacts.attributes.list({ contactId }),
    api.crm.contacts.attributes.setMany({ contactId }),
    api.crm.tags.assign({ tagId: 15, contactId }),
  ];
  for (const call of calls) expect(await rejectionOf(call)).toMatchObject({ status: 404, choice: 'unknown-record' });
});
