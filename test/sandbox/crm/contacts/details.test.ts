import { expect, test } from 'vitest';
import { expectChoice, expectRule, rejectionOf, start } from '../../support.ts';

const contactId = 3002;

test('adds, changes and deletes phones', async () => {
  const { api } = start();
  const { id } = await api.crm.contacts.phones.create({ contactId, phone: '+15550100130' });
  expect(await api.crm.contacts.phones.update({ contactId, phoneId: id, phone: '+15550100131' })).toEqual({
    id,
    phone: '+15550100131',
  });
  expect(await api.crm.contacts.get({ contactId })).toMatchObject({
    phones: [
      { id: 6102, phone: '15550100124' },
      { id, phone: '+15550100131' },
    ],
  });
  await api.crm.contacts.phones.delete({ contactId, phoneId: 6102 });
  expect((await api.crm.contacts.get({ contactId })).phones).toEqual([{ id, phone: '+15550100131' }]);
  await expectChoice(api.crm.contacts.phones.delete({ contactId, phoneId: 6102 }), 'unknown-record', 404);
});

test('does not find a phone of another contact', async () => {
  const { api } = start();
  await expectChoice(api.crm.contacts.phones.update({ contactId, phoneId: 6101, phone: '1' }), 'unknown-record', 404);
  await expectChoice(api.crm.contacts.phones.delete({ contactId, phoneId: 6101 }), 'unknown-record', 404);
  expect((await api.crm.contacts.get({ contactId: 3001 })).phones).toHaveLength(1);
});

test('a phone has 1 to 50 characters', async () => {
  const { api } = start();
  for (const length of [1, 50]) await api.crm.contacts.phones.create({ contactId, phone: '1'.repeat(length) });
  for (const length of [0, 51]) {
    const call = api.crm.contacts.phones.create({ contactId, phone: '1'.repeat(length) });
    expect(await rejectionOf(call)).toMatchObject({ status: 422, choice: 'request-shape' });
  }
});

test('adds, changes and deletes emails; a new main email replaces the earlier one', async () => {
  const { api } = start();
  const emails = [{ email: 'ben@example.com', isMain: true }, { email: 'b.ito@example.com' }];
  const added = await api.crm.contacts.emails.create({ contactId, emails });
  expect(added).toMatchObject([
    { email: 'ben@example.com', isMain: true },
    { email: 'b.ito@example.com', isMain: false },
  ]);
  const [, second] = added;
  if (!second) throw new Error('Two emails were added');
  await api.crm.contacts.emails.update({ contactId, emailId: second.id, email: 'ito@example.com' });
  expect(await api.crm.contacts.get({ contactId })).toMatchObject({
    emails: [
      { id: 6202, isMain: false },
      { email: 'ben@example.com', isMain: true },
      { email: 'ito@example.com', isMain: false },
    ],
  });
  await api.crm.contacts.emails.delete({ contactId, emailId: second.id });
  await expectChoice(api.crm.contacts.emails.delete({ contactId, emailId: second.id }), 'unknown-record', 404);
  expect((await api.crm.contacts.get({ contactId })).emails).toHaveLength(2);
});

test('an email has at most 50 characters on creation and 128 on update', async () => {
  const { api } = start();
  const address = (length: number): string => `${'a'.repeat(length - 4)}@b.c`;
  expect(await api.crm.contacts.emails.create({ contactId, emails: [{ email: address(50) }] })).toHaveLength(1);
  expect(
    await rejectionOf(api.crm.contacts.emails.create({ contactId, emails: [{ email: address(51) }] })),
  ).toMatchObject({ status: 422 });
  await api.crm.contacts.emails.update({ contactId, emailId: 6202, email: address(128) });
  expect(
    await rejectionOf(api.crm.contacts.emails.update({ contactId, emailId: 6202, email: address(129) })),
  ).toMatchObject({ status: 422 });
});

test('adding no emails changes nothing, and an entry without an address rejects the whole request', async () => {
  const { api } = start();
  expect(await api.crm.contacts.emails.create({ contactId })).toEqual([]);
  expect(await api.crm.contacts.emails.create({ contactId, emails: [] })).toEqual([]);
  const emails = [{ email: 'ben@example.com' }, { isMain: true }];
  await expectChoice(api.crm.contacts.emails.create({ contactId, emails }), 'incomplete-entry');
  expect((await api.crm.contacts.get({ contactId })).emails).toHaveLength(1);
});

test('adds, changes and deletes messengers; a new main chatbot replaces the earlier one', async () => {
  const { api } = start();
  const first = await api.crm.contacts.messengers.create({
    contactId,
    typeId: 1,
    login: 'benito',
    isMainChatbot: true,
  });
  const second = await api.crm.contacts.messengers.create({ contactId, typeId: 2, login: 'ben.ito' });
  expect(second).toMatchObject({ typeId: 2, login: 'ben.ito', isMainChatbot: false });
  const change = { contactId, messengerId: second.id, typeId: 1, login: 'ben' };
  await api.crm.contacts.messengers.update({ ...change, isMainChatbot: true });
  expect(await api.crm.contacts.messengers.update(change)).toMatchObject({ login: 'ben', isMainChatbot: true });
  expect(await api.crm.contacts.get({ contactId })).toMatchObject({
    messengers: [
      { id: first.id, isMainChatbot: false },
      { id: second.id, typeId: 1, isMainChatbot: true },
    ],
  });
  await api.crm.contacts.messengers.delete({ contactId, messengerId: first.id });
  await expectChoice(api.crm.contacts.messengers.delete({ contactId, messengerId: first.id }), 'unknown-record', 404);
});

test('a messenger must have a listed type [contact-messenger-type-available]', async () => {
  const { sandbox, api } = start();
  const available = [...sandbox.state.crm.messengerTypes.keys()];
  expect(await api.crm.messengerTypes.list()).toEqual(available.map((id) => ({ id })));
  for (const typeId of available) {
    expect(await api.crm.contacts.messengers.create({ contactId, typeId, login: 'ben' })).toMatchObject({ typeId });
  }
  await api.crm.contacts.messengers.create({ contactId, typeId: '1', login: 'ben' });
  for (const typeId of [99, 'telegram', '', '0x1']) {
    const calls = [
      api.crm.contacts.messengers.create({ contactId, typeId, login: 'ben' }),
      api.crm.contacts.messengers.update({ contactId: 3001, messengerId: 6301, typeId, login: 'ann' }),
      api.crm.contacts.createLegacy({ responsibleId: 77, messengers: [{ typeId, login: 'ben' }] }),
    ];
    for (const call of calls) await expectRule(call, 'contact-messenger-type-available');
  }
  expect((await api.crm.contacts.get({ contactId: 3001 })).messengers).toMatchObject([{ login: 'annkowal' }]);
});

test('adds, changes and deletes notes', async () => {
  const { sandbox, api } = start();
  const { id } = await api.crm.contacts.comments.create({ contactId, message: 'Prefers to be called after lunch.' });
  expect(await api.crm.contacts.comments.update({ contactId, commentId: id, message: 'Called.' })).toEqual({
    id,
    message: 'Called.',
  });
  expect(sandbox.state.crm.contacts.get(contactId)?.notes).toMatchObject([{ id, message: 'Called.' }]);
  await api.crm.contacts.comments.delete({ contactId, commentId: id });
  const gone = api.crm.contacts.comments.update({ contactId, commentId: id, message: 'Again' });
  await expectChoice(gone, 'unknown-record', 404);
  await expectChoice(api.crm.contacts.comments.delete({ contactId, commentId: 811 }), 'unknown-record', 404);
});

test('a note has 1 to 65,535 characters', async () => {
  const { api } = start();
  for (const length of [1, 65_535]) await api.crm.contacts.comments.create({ contactId, message: 'x'.repeat(length) });
  for (const length of [0, 65_536]) {
    const call = api.crm.contacts.comments.create({ contactId, message: 'x'.repeat(length) });
    expect(await rejectionOf(call)).toMatchObject({ status: 422 });
  }
});

test('a sandbox without messenger types accepts any of them', async () => {
  const { api, sandbox } = start();
  sandbox.state.crm.messengerTypes.clear();
  const add = (typeId: number) =>
    api.crm.contacts.messengers.create({ contactId: 3001, typeId, login: 'ann' } as never);
  await add(77);
  expect(sandbox.requests.at(-1)).toMatchObject({ status: 200 });
});
