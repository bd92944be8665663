import { describe, expect, test } from 'vitest';
import { AttributeType } from '../../../../generated/crm/models.ts';
import { expectChoice, expectRule, start } from '../../support.ts';

describe('notes on a deal', () => {
  test('are listed, added, updated and deleted', async () => {
    const { api } = start();
    const { comments } = api.crm.deals;
    const { id } = await comments.create({ dealId: 501, message: '' });
    expect(await comments.list({ dealId: 501 })).toEqual([
      { id: 801, message: 'Ann asked for a yearly invoice.' },
      { id, message: '' },
    ]);
    await comments.update({ dealId: 501, commentId: id, message: 'x'.repeat(65_535) });
    await expectChoice(comments.update({ dealId: 501, commentId: id, message: 'x'.repeat(65_536) }), 'request-shape');
    expect((await comments.list({ dealId: 501 }))[1]?.message).toHaveLength(65_535);
    await comments.delete({ dealId: 501, commentId: 801 });
    expect(await comments.list({ dealId: 501 })).toMatchObject([{ id }]);
  });

  test('belong to their deal', async () => {
    const { api } = start();
    const { comments } = api.crm.deals;
    const { id: dealId } = await api.crm.deals.create({ pipelineId: 1, stepId: 11 });
    await expectChoice(comments.update({ dealId, commentId: 801, message: 'x' }), 'unknown-record', 404);
    await expectChoice(comments.delete({ dealId, commentId: 801 }), 'unknown-record', 404);
    await expectChoice(comments.list({ dealId: 9 }), 'unknown-record', 404);
    expect(await comments.list({ dealId })).toEqual([]);
  });
});

describe('contacts of a deal', () => {
  test('are listed, added and removed', async () => {
    const { api } = start();
    const { contacts } = api.crm.deals;
    expect(await contacts.list({ dealId: 501 })).toMatchObject([{ id: 3001, firstName: 'Ann' }]);
    await contacts.add({ dealId: 501, contactId: 3002 });
    await contacts.add({ dealId: 501, contactId: 3002 });
    expect((await contacts.list({ dealId: 501 })).map(({ id }) => id)).toEqual([3001, 3002]);
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ contact: [3001, 3002] });
    expect(await api.crm.contacts.listDeals({ contactId: 3002 })).toMatchObject([{ id: 501 }]);
    await contacts.remove({ dealId: 501, contactId: 3001 });
    expect((await contacts.list({ dealId: 501 })).map(({ id }) => id)).toEqual([3002]);
    expect(await api.crm.contacts.listDeals({ contactId: 3001 })).toEqual([]);
  });

  test('must exist, like the deal', async () => {
    const { api } = start();
    const { contacts } = api.crm.deals;
    await expectChoice(contacts.add({ dealId: 501, contactId: 9 }), 'unknown-record', 404);
    await expectChoice(contacts.add({ dealId: 9, contactId: 3001 }), 'unknown-record', 404);
    await expectChoice(contacts.remove({ dealId: 501, contactId: 3002 }), 'unknown-record', 404);
    await api.crm.contacts.delete({ contactId: 3001 });
    expect(await contacts.list({ dealId: 501 })).toEqual([]);
  });
});

describe('deal attributes', () => {
  test('are listed, created, updated and deleted', async () => {
    const { api } = start();
    const { attributes } = api.crm.pipelines;
    expect((await attributes.list({ pipelineId: 1 })).map(({ id }) => id)).toEqual([210, 211]);
    expect(await attributes.list({ pipelineId: 2 })).toEqual([]);
    const created = await attributes.create({ pipelineId: 2, name: 'Size', type: 4, options: ['S', 1] });
    expect(created).toMatchObject({ name: 'Size', type: 4, mandatory: false, status: 1, options: ['S', 1] });
    expect(await api.crm.deals.attributes.listDefinitions({ pipelineId: 2 })).toEqual([created]);
    const path = { pipelineId: 2, attributeId: created.id };
    const updated = await attributes.update({ ...path, name: 'Sizes', order: 3, status: 2, mandatory: true, type: 5 });
    expect(updated).toEqual({ ...created, name: 'Sizes', order: 3, status: 2, mandatory: true, type: 5 });
    // @ts-expect-error: an order is required
    await expectChoice(attributes.update({ ...path, name: 'Sizes' }), 'request-shape');
    await expectChoice(attributes.update({ ...path, pipelineId: 1, name: 'x', order: 1 }), 'unknown-record', 404);
    await expectChoice(attributes.delete({ pipelineId: 1, attributeId: 9 }), 'unknown-record', 404);
    await attributes.delete(path);
    expect(await attributes.list({ pipelineId: 2 })).toEqual([]);
  });

  test('take their values with them when deleted', async () => {
    const { api } = start();
    await api.crm.pipelines.attributes.delete({ pipelineId: 1, attributeId: 210 });
    expect(await api.crm.deals.attributes.list({ dealId: 501 })).toMatchObject([{ attributeId: 211 }]);
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({
      attributes: [{ attributeId: 211, value: 'Team' }],
    });
    const value = { dealId: 501, attributeId: 210 };
    await expectChoice(api.crm.deals.attributes.update({ ...value, value: 'x' }), 'unknown-record', 404);
    await expectChoice(api.crm.deals.attributes.create({ ...value, value: 'x' }), 'unknown-reference');
  });

  test('values are added, updated and deleted', async () => {
    const { api } = start();
    const { attributes } = api.crm.deals;
    const text = { dealId: 501, attributeId: 210 };
    expect(await attributes.list({ dealId: 501 })).toMatchObject([
      { attributeId: 210, value: 'AC-2026-17', type: 0, status: 1 },
      { attributeId: 211, value: 'Team', type: 4, options: ['Basic', 'Team', 'Enterprise'] },
    ]);
    expect(await attributes.update({ ...text, value: 'AC-2026-18' })).toMatchObject({ value: 'AC-2026-18' });
    expect(await attributes.create({ ...text, value: 'AC-2026-19' })).toMatchObject({ value: 'AC-2026-19' });
    await attributes.delete(text);
    expect(await attributes.list({ dealId: 501 })).toMatchObject([{ attributeId: 211 }]);
    await expectChoice(attributes.update({ ...text, value: 'x' }), 'unknown-record', 404);
    await expectChoice(attributes.delete(text), 'unknown-record', 404);
    expect(await attributes.create({ ...text, value: 'x'.repeat(5500) })).toMatchObject({ attributeId: 210 });
    await expectChoice(attributes.update({ ...text, value: 'x'.repeat(5501) }), 'request-shape');
  });

  test('values belong to the pipeline of the deal', async () => {
    const { api } = start();
    await api.crm.deals.changePipeline({ dealId: 501, pipelineId: 2, stepId: 21 });
    expect(await api.crm.deals.attributes.list({ dealId: 501 })).toEqual([]);
    await api.crm.deals.changePipeline({ dealId: 501, pipelineId: 1, stepId: 12 });
    expect(await api.crm.deals.attributes.list({ dealId: 501 })).toHaveLength(2);
  });
});

const formats: Record<string, { type: number; right: string[]; wrong: string[] }> = {
  text: { type: AttributeType.Text, right: ['', 'any', '7'], wrong: [] },
  number: {
    type: AttributeType.Number,
    right: ['0', '1200', '-7', '+7', '12.50'],
    wrong: ['', ' ', 'seven', '1,5', '0x10', '1 200', '.', '12.'],
  },
  date: {
    type: AttributeType.Date,
    right: ['2026-11-02 09:30', '2028-02-29 23:59', '2026-01-01 00:00'],
    wrong: [
      '2026-11-02',
      '2026-11-02 24:00',
      '2026-11-02 9:30',
      '2026-11-02T09:30',
      '2026-02-29 10:00',
      '2026-13-01 10:00',
    ],
  },
  link: {
    type: AttributeType.Link,
    right: ['https://shop.example.com', 'ftp://a.example/b?c=d'],
    wrong: ['shop', '', '//a'],
  },
  select: { type: AttributeType.Select, right: ['Basic', '3'], wrong: ['basic', '', '["Basic"]', '4'] },
  'multi-select': {
    type: AttributeType.MultiSelect,
    right: ['[]', '["Basic"]', '["Basic",3]', '["3"]'],
    wrong: ['Basic', '["basic"]', '{"0":"Basic"}', '"Basic"', '[null]', '[', ''],
  },
  // Values can have this type, but definitions cannot.
  checkbox: { type: AttributeType.MultiSelect + 1, right: ['0', '1'], wrong: ['true', '', '2'] },
};

for (const [name, { type, right, wrong }] of Object.entries(formats)) {
  test(`the value of a ${name} attribute has its form [attribute-value-format]`, async () => {
    const { api, sandbox } = start();
    const record = { id: 220, name, type, options: ['Basic', 3] };
    sandbox.state.crm.dealAttributes.put({ pipelineId: 1, record });
    const target = { dealId: 501, attributeId: 220 };
    for (const value of right) {
      expect(await api.crm.deals.attributes.create({ ...target, value })).toMatchObject({ value, type });
      expect(await api.crm.deals.attributes.update({ ...target, value })).toMatchObject({ value });
    }
    const stored = await api.crm.deals.attributes.list({ dealId: 501 });
    for (const value of wrong) {
      await expectRule(api.crm.deals.attributes.create({ ...target, value }), 'attribute-value-format');
      await expectRule(api.crm.deals.attributes.update({ ...target, value }), 'attribute-value-format');
      const attributes = [{ attributeId: 220, value }];
      const deal = { pipelineId: 1, stepId: 11, attributes };
      await expectRule(api.crm.deals.create(deal), 'attribute-value-format');
    }
    expect(await api.crm.deals.attributes.list({ dealId: 501 })).toEqual(stored);
  });
}
