import { expect, test } from 'vitest';
import type { Crm } from '../../../src/client/index.ts';
import { expectChoice, expectRule, rejectionOf, start } from '../support.ts';

const contactId = 3002;

test('lists, creates, changes and deletes definitions with their values', async () => {
  const { api } = start();
  expect(await api.crm.contactAttributes.list()).toMatchObject([
    { id: 310, name: 'Birthday', type: 2 },
    { id: 311, name: 'Interests', type: 5, options: ['Hiking', 'Music', 'Tea'] },
  ]);
  const created = await api.crm.contactAttributes.create({ name: 'Size', type: 4, options: ['S', 'L', 7] });
  expect(created).toMatchObject({ name: 'Size', type: 4, options: ['S', 'L', 7], mandatory: false, status: 1 });
  const attributeId = created.id;
  await api.crm.contacts.attributes.create({ contactId, attributeId, value: '7' });
  const change = {
    attributeId,
    name: 'Shirt size',
    order: 0,
    status: 2,
    mandatory: true,
    contactCardShow: false,
  } as const;
  expect(await api.crm.contactAttributes.update(change)).toEqual({
    id: attributeId,
    name: 'Shirt size',
    type: 4,
    options: ['S', 'L', 7],
    order: 0,
    status: 2,
    mandatory: true,
    contactCardShow: false,
  });
  expect((await api.crm.contactAttributes.list()).map(({ id }) => id)).toEqual([attributeId, 310, 311]);
  expect(await api.crm.contacts.attributes.list({ contactId })).toMatchObject([{ attributeId, value: '7', status: 2 }]);
  await api.crm.contactAttributes.delete({ attributeId });
  expect(await api.crm.contacts.attributes.list({ contactId })).toEqual([]);
  await expectChoice(api.crm.contactAttributes.delete({ attributeId }), 'unknown-record', 404);
  await expectChoice(api.crm.contactAttributes.update(change), 'unknown-record', 404);
});

test('an attribute without a type is text', async () => {
  const { api } = start();
  expect(await api.crm.contactAttributes.create({ name: 'Remarks' })).toMatchObject({ type: 0 });
});

test('sets, lists, changes and deletes values', async () => {
  const { api } = start();
  const value = '1991-01-02 00:00';
  expect(await api.crm.contacts.attributes.create({ contactId, attributeId: 310, value })).toEqual({
    attributeId: 310,
    value,
    type: 2,
    status: 1,
  });
  await api.crm.contacts.attributes.create({ contactId, attributeId: 310, value: '1991-01-03 00:00' });
  await api.crm.contacts.attributes.update({ contactId, attributeId: 310, value: '1991-01-04 23:59' });
  expect(await api.crm.contacts.attributes.list({ contactId })).toMatchObject([{ value: '1991-01-04 23:59' }]);
  await api.crm.contacts.attributes.delete({ contactId, attributeId: 310 });
  expect(await api.crm.contacts.attributes.list({ contactId })).toEqual([]);
  const gone = { contactId, attributeId: 310 };
  await expectChoice(api.crm.contacts.attributes.delete(gone), 'unknown-record', 404);
  await expectChoice(api.crm.contacts.attributes.update({ ...gone, value }), 'unknown-record', 404);
});

test('a value must name an existing attribute', async () => {
  const { api } = start();
  await expectChoice(api.crm.contacts.attributes.create({ contactId, value: 'x' }), 'contact-attribute-incomplete');
  await expectChoice(
    api.crm.contacts.attributes.create({ contactId, attributeId: 9, value: 'x' }),
    'unknown-reference',
  );
});

test.each([
  [0, ['', 'any text'], []],
  [1, ['0', '-1.5', '42'], ['', 'many', '1,5']],
  [
    2,
    ['2026-11-02 09:30', '2026-11-02 23:59'],
    ['2026-11-02', '2026-11-02 24:00', '2026-02-30 10:00', '02.11.2026 9:30'],
  ],
  [3, ['https://example.com/a?b=c'], ['example', '']],
  [4, ['Basic', '7'], ['Gold', '["Basic"]']],
  [5, ['["Basic"]', '["Basic",7]', '[]'], ['Basic', '["Gold"]', '{"Basic":1}']],
] as const)('values of type %i have its form [attribute-value-format]', async (type, fitting, rejected) => {
  const { api } = start();
  const { id } = await api.crm.contactAttributes.create({ name: 'Any', type, options: ['Basic', 'Team', 7] });
  for (const value of fitting) {
    expect(await api.crm.contacts.attributes.create({ contactId, attributeId: id, value })).toMatchObject({
      value,
      type,
    });
  }
  for (const value of rejected) {
    await expectRule(
      api.crm.contacts.attributes.create({ contactId, attributeId: id, value }),
      'attribute-value-format',
    );
    await expectRule(
      api.crm.contacts.attributes.update({ contactId, attributeId: id, value }),
      'attribute-value-format',
    );
    const attributesValues = [{ attributeId: id, value }];
    await expectRule(api.crm.contacts.attributes.setMany({ contactId, attributesValues }), 'attribute-value-format');
  }
  expect(await api.crm.contacts.attributes.list({ contactId })).toMatchObject([{ value: fitting.at(-1) }]);
});

test('a value has at most 5,500 characters', async () => {
  const { api } = start();
  const { id } = await api.crm.contactAttributes.create({ name: 'Remarks' });
  await api.crm.contacts.attributes.create({ contactId, attributeId: id, value: 'x'.repeat(5_500) });
  const call = api.crm.contacts.attributes.create({ contactId, attributeId: id, value: 'x'.repeat(5_501) });
  expect(await rejectionOf(call)).toMatchObject({ status: 422, choice: 'request-shape' });
});

test('sets all of several values in a request, or none', async () => {
  const { sandbox, api } = start();
  const attributesValues = [
    { attributeId: 310, value: '1990-05-14 00:00' },
    { attributeId: 311, value: '["Hiking","Tea"]' },
  ];
  expect(await api.crm.contacts.attributes.setMany({ contactId, attributesValues })).toEqual(attributesValues);
  expect(await api.crm.contacts.attributes.list({ contactId })).toMatchObject(attributesValues);
  expect(await api.crm.contacts.attributes.setMany({ contactId })).toEqual([]);
  const before = sandbox.snapshot().state;
  const set = (entry: Crm.AttributeValueInput): PromiseLike<unknown> =>
    api.crm.contacts.attributes.setMany({ contactId, attributesValues: [{ attributeId: 311, value: '[]' }, entry] });
  await expectRule(set({ attributeId: 310, value: 'soon' }), 'attribute-value-format');
  await expectChoice(set({ attributeId: 9, value: 'x' }), 'unknown-reference');
  await expectChoice(set({ attributeId: 310 }), 'incomplete-entry');
  await expectChoice(set({ value: 'x' }), 'contact-attribute-incomplete');
  expect(sandbox.snapshot().state).toEqual(before);
});
