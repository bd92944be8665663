import { expect, it } from 'vitest';
import { callMethod, connect, listMethod, methods } from '../../src/catalogue/index.ts';
import { isCarillonError } from '../../src/core/errors/is-carillon-error.ts';

const { client } = await connect({ sandbox: true });

it('every method can be called by its name, with its example', async () => {
  for (const { name, example } of methods) {
    // A sandbox for each: an example may delete what another one reads.
    const { client: own } = await connect({ sandbox: true, options: { logger: { warn() {} } } });
    const { response } = await callMethod(own, name, example).withResponse();
    expect([name, response.ok]).toEqual([name, true]);
  }
});

it('a list is read page by page, or item by item', async () => {
  const contacts = await listMethod(client, 'crm.contacts.list', { limit: 1 }).toArray({ max: 10 });
  const page = await callMethod(client, 'crm.contacts.list', { limit: 1 });
  expect(contacts.length).toBeGreaterThan(1);
  expect(page).toMatchObject({ data: [contacts[0]], total: contacts.length });
});

it.each([
  ['an unknown method', 'crm.contacts.find', {}, 'There is no method crm.contacts.find'],
  ['a missing parameter', 'crm.contacts.get', {}, 'crm.contacts.get needs contactId.'],
  ['a misspelt parameter', 'crm.contacts.list', { lastname: 'Kowal' }, 'Did you mean lastName?'],
  ['an unknown parameter', 'crm.users.list', { page: 1 }, 'It takes none.'],
  ['a misspelt parameter where own fields are allowed', 'crm.tags.create', { nam: 'VIP' }, 'Did you mean name?'],
])('%s is refused, and nothing is sent', async (_, name, params, message) => {
  const before = (await connect({ sandbox: true })).client;
  const error: unknown = await (async () => callMethod(before, name, params))().catch((reason: unknown) => reason);
  expect(isCarillonError(error, 'ArgumentError') && [error.sent, error.message]).toEqual([
    'no',
    expect.stringContaining(message),
  ]);
});

it('only a method with pages is a list', () => {
  expect(() => listMethod(client, 'crm.users.list')).toThrow('crm.users.list returns no pages; nothing was sent');
});
