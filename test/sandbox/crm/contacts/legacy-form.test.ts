import { expect, test } from 'vitest';
import { expectChoice, expectRule, start } from '../../support.ts';

const responsibleId = 77;

test('the deprecated form creates a contact with all its details', async () => {
  const { sandbox, api } = start();
  const contact = await api.crm.contacts.createLegacy({
    responsibleId,
    firstName: 'Cem',
    lastName: 'Oz',
    phones: ['+15550100140', '+15550100141'],
    emails: ['cem@example.com', 'oz@example.com'],
    tags: [15],
    attributes: [
      { attributeId: 310, value: '1990-05-14 00:00' },
      { name: 'Interests', value: '["Hiking","Tea"]', type: 5 },
    ],
    messengers: [{ typeId: 1, login: 'cem' }],
    attachments: ['/crm/cem/contract.pdf'],
  });
  expect(contact).toMatchObject({
    firstName: 'Cem',
    phones: [{ phone: '+15550100140' }, { phone: '+15550100141' }],
    emails: [
      { email: 'cem@example.com', isMain: true },
      { email: 'oz@example.com', isMain: false },
    ],
    tags: [{ id: 15, name: 'VIP' }],
    attributes: [
      { attributeId: 310, value: '1990-05-14 00:00' },
      { attributeId: 311, value: '["Hiking","Tea"]' },
    ],
    messengers: [{ typeId: 1, login: 'cem' }],
    attachments: ['/crm/cem/contract.pdf'],
  });
  expect(await api.crm.contacts.get({ contactId: contact.id })).toEqual(contact);
  expect(sandbox.state.crm.contactsByTag.keys(15).has(contact.id)).toBe(true);
});

test('names files by their paths [crm-files-by-path]', async () => {
  const { api } = start();
  const attachments = ['/crm/ann-kowal/contract.pdf'];
  expect(await api.crm.contacts.createLegacy({ responsibleId, attachments })).toMatchObject({ attachments });
  const body = JSON.parse('{"responsibleId":77,"attachments":[{"content":"JVBERi0="}]}');
  expect((await api.crm.POST('/contacts', { body })).response.status).toBe(422);
});

test('an attribute given by ID must exist [contact-legacy-attribute-by-id]', async () => {
  const { sandbox, api } = start();
  const value = '1990-05-14 00:00';
  const contact = await api.crm.contacts.createLegacy({ responsibleId, attributes: [{ attributeId: 310, value }] });
  expect(contact.attributes).toMatchObject([{ attributeId: 310, value }]);
  const before = sandbox.state.crm.contacts.size;
  const call = api.crm.contacts.createLegacy({ responsibleId, attributes: [{ attributeId: 999, value }] });
  await expectRule(call, 'contact-legacy-attribute-by-id');
  expect(sandbox.state.crm.contacts.size).toBe(before);
});

test('an attribute given by name is created or reused [contact-legacy-attribute-by-name]', async () => {
  const { api } = start();
  const tea = { name: 'Favourite tea', value: 'Darjeeling', type: 0 } as const;
  const first = await api.crm.contacts.createLegacy({ responsibleId, attributes: [tea] });
  const definitions = await api.crm.contactAttributes.list();
  const created = definitions.find(({ name }) => name === tea.name);
  expect(created).toMatchObject({ type: 0, mandatory: false, status: 1 });
  expect(first.attributes).toMatchObject([{ attributeId: created?.id, value: 'Darjeeling' }]);
  const second = await api.crm.contacts.createLegacy({ responsibleId, attributes: [{ ...tea, value: 'Assam' }] });
  expect(second.attributes).toMatchObject([{ attributeId: created?.id, value: 'Assam' }]);
  expect(await api.crm.contactAttributes.list()).toHaveLength(definitions.length);
});

test('creates one attribute for a name that appears twice in a request', async () => {
  const { api } = start();
  const attributes = [
    { name: 'Shoe size', value: '41', type: 1 },
    { name: 'Shoe size', value: '42', type: 1 },
  ] as const;
  const contact = await api.crm.contacts.createLegacy({ responsibleId, attributes: [...attributes] });
  expect(contact.attributes).toMatchObject([{ type: 1, value: '42' }]);
  expect(await api.crm.contactAttributes.list()).toHaveLength(3);
});

test('an attribute created by name is text by default; a select one takes its values as options', async () => {
  const { api } = start();
  const attributes = [
    { name: 'Remarks', value: 'anything' },
    { name: 'Size', value: 'L', type: 4 as const },
    { name: 'Days', value: '["Mon","Tue"]', type: 5 as const },
  ];
  const contact = await api.crm.contacts.createLegacy({ responsibleId, attributes });
  expect(contact.attributes).toMatchObject([
    { type: 0, value: 'anything' },
    { type: 4, value: 'L', options: ['L'] },
    { type: 5, value: '["Mon","Tue"]', options: ['Mon', 'Tue'] },
  ]);
});

test("values have the form of their attribute; an existing attribute's type applies [attribute-value-format]", async () => {
  const { sandbox, api } = start();
  const before = sandbox.snapshot().state;
  const rejected = [
    { attributeId: 310, value: 'yesterday' },
    { name: 'Birthday', value: 'yesterday', type: 0 as const },
    { name: 'Shoe size', value: 'large', type: 1 as const },
    { name: 'Days', value: 'Mon', type: 5 as const },
  ];
  for (const attribute of rejected) {
    const attributes = [{ name: 'Remarks', value: 'fits' }, attribute];
    await expectRule(api.crm.contacts.createLegacy({ responsibleId, attributes }), 'attribute-value-format');
  }
  expect(sandbox.snapshot().state).toEqual(before);
});

test('an entry with a name has the second form, with a value and a known type', async () => {
  const { api } = start();
  for (const entry of ['{"name":"Remarks"}', '{"name":5,"value":"x"}', '{"name":"Remarks","value":"x","type":6}']) {
    const { error } = await api.crm.POST('/contacts', { body: { responsibleId, attributes: [JSON.parse(entry)] } });
    expect(error?.status).toBe(422);
    expect(error?.headers.get('x-sandbox-choice')).toBe('request-shape');
    expect(error?.body).toMatchObject({ violations: [{ location: ['body', 'attributes', '0', expect.any(String)] }] });
  }
  // The shape is checked before the state.
  const attributes = [JSON.parse('{"name":"Remarks"}')];
  await expectChoice(api.crm.contacts.createLegacy({ responsibleId: 79, attributes }), 'request-shape');
  await expectChoice(
    api.crm.contacts.createLegacy({ responsibleId, attributes: [JSON.parse('{}')] }),
    'incomplete-entry',
  );
});

test('rejects an unknown tag', async () => {
  const { api } = start();
  await expectChoice(api.crm.contacts.createLegacy({ responsibleId, tags: [15, 999] }), 'unknown-reference');
});
