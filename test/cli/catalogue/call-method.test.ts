import { expect, it } from 'vitest';
import { callMethod, connect, listMethod, methods } from '../../../src/cli/catalogue/index.ts';
import { isCarillonError } from '../../../src/client/core/errors/is-carillon-error.ts';

const { client } = await connect({ sandbox: true });

it('calls every method by name with its example', async () => {
  for (const { name, example } of methods) {
    // A sandbox per method, because one example may delete what another reads.
    const { client: own } = await connect({ sandbox: true, options: { logger: { warn() {} } } });
    const { response } = await callMethod(own, name, example).withResponse();
    expect([name, response.ok]).toEqual([name, true]);
  }
});

it('reads a list page by page or item by item', async () => {
  const contacts = await listMethod(client, 'crm.contacts.list', { limit: 1 }).toArray({ max: 10 });
  const page = await callMethod(client, 'crm.contacts.list', { limit: 1 });
  expect(contacts.length).toBeGreaterThan(1);
  expect(page).toMatchObject({ data: [contacts[0]], total: contacts.length });
});

it.each([
  ['an unknown method', 'crm.contacts.find', {}, 'There is no method crm.contacts.find'],
  ['a missing parameter', 'crm.contacts.get', {}, 'crm.contacts.get needs contactId.'],
  ['a misspelt parameter', 'crm.contacts.list', { lastname: 'Kowal' }, 'Did you mean lastName?'],
  ['an unknown parameter', 'crm.users.list', { page: 1 }, 'The method takes no parameters.'],
  ['a misspelt parameter where own fields are allowed', 'crm.tags.create', { nam: 'VIP' }, 'Did you mean name?'],
])('does not accept %s and sends nothing', async (_, name, params, message) => {
  const before = (await connect({ sandbox: true })).client;
  const error: unknown = await (async () => callMethod(before, name, params))().catch((reason: unknown) => reason);
  expect(isCarillonError(error, 'ArgumentError') && [error.sent, error.message]).toEqual([
    'no',
    expect.stringContaining(message),
  ]);
});

it('sends text in a file field as bytes', async () => {
  const { client: own } = await connect({
    sandbox: true,
    options: { showBodies: true, middleware: [{ onRequest: ({ body }) => void bodies.push(JSON.parse(body ?? '')) }] },
  });
  const bodies: unknown[] = [];
  const email = { subject: 'Hello', from: { email: 'sales@example.com' }, to: [{ email: 'ann.kowal@example.com' }] };
  const files = { 'a.txt': 'Zażółć', 'b.bin': new Uint8Array([255]) };
  await callMethod(own, 'email.messages.send', { ...email, template: { id: 700 }, attachments_binary: files });
  const encoded = { 'a.txt': Buffer.from('Zażółć').toString('base64'), 'b.bin': '/w==' };
  expect(bodies).toMatchObject([{ email: { attachments_binary: encoded } }]);
  expect(files['a.txt']).toBe('Zażółć');
});

it('lists only methods with pages', () => {
  expect(() => listMethod(client, 'crm.users.list')).toThrow('crm.users.list returns no pages; nothing was sent');
});
