import { beforeEach, expect, test } from 'vitest';
import type { Client, Crm } from '../../../../src/client/index.ts';
import { expectChoice, start } from '../../support.ts';

type Condition = Crm.ContactFieldCondition;

const ann = 3001;
const ben = 3002;
let api: Client;
let attributeId: number;

beforeEach(async () => {
  ({ api } = start());
  ({ id: attributeId } = await api.crm.contactAttributes.create({ name: 'Visits', type: 1 }));
  await api.crm.contacts.attributes.create({ contactId: ben, attributeId, value: '9' });
});

async function found(...fieldValueConditions: Condition[]): Promise<number[]> {
  return (await api.crm.contacts.list({ fieldValueConditions })).data.map(({ id }) => id);
}

test.each<[Condition, number[]]>([
  [{ field: 'lastName', expression: 'eq', value: 'Kowal' }, [ann]],
  [{ field: 'lastName', expression: 'eq', value: 'kowal' }, [ann]],
  [{ field: 'lastName', expression: 'eq', value: 'Kow' }, []],
  [{ field: 'lastName', expression: 'neq', value: 'Kowal' }, [ben]],
  [{ field: 'lastName', expression: 'like', value: 'Kow' }, [ann]],
  [{ field: 'lastName', expression: 'gt', value: 'Ito' }, [ann]],
  [{ field: 'lastName', expression: 'gte', value: 'Ito' }, [ann, ben]],
  [{ field: 'lastName', expression: 'lt', value: 'Kowal' }, [ben]],
  [{ field: 'lastName', expression: 'lte', value: 'Kowal' }, [ann, ben]],
  [{ field: 'lastName', expression: 'empty' }, []],
  [{ field: 'phones', expression: 'eq', value: '+1 555 010 0123' }, [ann]],
  [{ field: 'phones', expression: 'neq', value: '15550100123' }, [ben]],
  [{ field: 'phones', expression: 'like', value: '0124' }, [ben]],
  [{ field: 'phones', expression: 'gt', value: '15550100123' }, [ben]],
  [{ field: 'emails', expression: 'eq', value: 'ben.ito@example.com' }, [ben]],
  [{ field: 'emails', expression: 'like', value: 'kowal' }, [ann]],
  [{ field: 'messengers', expression: 'eq', value: 'annkowal' }, [ann]],
  [{ field: 'messengers', expression: 'neq', value: 'annkowal' }, [ben]],
  [{ field: 'messengers', expression: 'empty' }, [ben]],
  [{ field: 'location', expression: 'eq', value: 'Lisbon' }, [ben]],
  [{ field: 'location', expression: 'like', value: 'i' }, [ann, ben]],
  [{ field: 'tags', expression: 'eq', value: 'VIP' }, [ann]],
  [{ field: 'tags', expression: 'eq', value: '15' }, [ann]],
  [{ field: 'tags', expression: 'neq', value: 'VIP' }, [ben]],
  [{ field: 'tags', expression: 'like', value: 'vi' }, [ann]],
  [{ field: 'tags', expression: 'like', value: '15' }, []],
  [{ field: 'tags', expression: 'empty' }, [ben]],
  [{ field: 'attributes', expression: 'eq', value: 'Hiking' }, [ann]],
  [{ field: 'attributes', expression: 'eq', value: '9' }, [ben]],
  [{ field: 'attributes', expression: 'neq', value: 'Hiking' }, [ben]],
  [{ field: 'attributes', expression: 'lt', value: '10' }, [ben]],
  [{ field: 'attributes', expression: 'gte', value: '9.0' }, [ann, ben]],
  [{ field: 'attributes', expression: 'like', value: '1990' }, [ann]],
])('the condition %j matches contacts %j', async (condition, expected) => {
  expect(await found(condition)).toEqual(expected);
});

test('a value without content is empty, for text and multi-select alike', async () => {
  const { id } = await api.crm.contactAttributes.create({ name: 'Remarks', type: 0 });
  expect(await found({ field: 'attributes', expression: 'empty' })).toEqual([]);
  await api.crm.contacts.attributes.delete({ contactId: ben, attributeId });
  await api.crm.contacts.attributes.create({ contactId: ben, attributeId: id, value: '' });
  await api.crm.contacts.attributes.create({ contactId: ben, attributeId: 311, value: '[]' });
  expect(await found({ field: 'attributes', expression: 'empty' })).toEqual([ben]);
  expect(await found({ field: 'attributes', expression: 'like', value: '' })).toEqual([ann]);
});

test('in finds the field among the values [contact-list-in-expression]', async () => {
  const emails = ['ann.kowal@example.com', 'ben.ito@example.com'];
  expect(await found({ field: 'emails', expression: 'in', value: emails })).toEqual([ann, ben]);
  expect(await found({ field: 'emails', expression: 'in', value: ['other@example.com', ...emails.slice(1)] })).toEqual([
    ben,
  ]);
  expect(await found({ field: 'emails', expression: 'in', value: ['kowal'] })).toEqual([]);
  expect(await found({ field: 'emails', expression: 'in', value: [] })).toEqual([]);
  expect(await found({ field: 'lastName', expression: 'in', value: 'Ito' })).toEqual([ben]);
  expect(await found({ field: 'tags', expression: 'in', value: [15, 99] })).toEqual([ann]);
  expect(await found({ field: 'attributes', expression: 'in', value: ['Tea', 9] })).toEqual([ann, ben]);
  expect(await found({ field: 'phones', expression: 'in', value: ['+15550100124', '1'] })).toEqual([ben]);
});

test('a list matches any of its values, and neq matches if all differ', async () => {
  expect(await found({ field: 'lastName', expression: 'like', value: ['ow', 'it'] })).toEqual([ann, ben]);
  expect(await found({ field: 'lastName', expression: 'neq', value: ['Kowal', 'Ito'] })).toEqual([]);
  expect(await found({ field: 'lastName', expression: 'gt', value: ['Jung', 'Zander'] })).toEqual([ann]);
});

test('a missing attribute or contact value is empty', async () => {
  await api.crm.contactAttributes.delete({ attributeId });
  expect(await found({ field: 'attributes', expression: 'empty' })).toEqual([ben]);
  const { id } = await api.crm.contacts.create({ responsibleId: 77, lastName: '' });
  for (const field of ['lastName', 'phones', 'emails', 'messengers', 'location', 'tags', 'attributes'] as const) {
    expect(await found({ field, expression: 'empty' })).toContain(id);
    expect(await found({ field, expression: 'neq', value: 'x' })).toContain(id);
    expect(await found({ field, expression: 'like', value: 'x' })).not.toContain(id);
  }
});

test('requires all conditions to match', async () => {
  const isAnn: Condition = { field: 'lastName', expression: 'eq', value: 'Kowal' };
  expect(await found(isAnn, { field: 'tags', expression: 'eq', value: 'VIP' })).toEqual([ann]);
  expect(await found(isAnn, { field: 'tags', expression: 'empty' })).toEqual([]);
});

test('rejects an incomplete condition', async () => {
  const incomplete: Condition[] = [
    JSON.parse('{}'),
    { field: 'lastName', value: 'x' },
    { expression: 'eq', value: 'x' },
    { field: 'lastName', expression: 'eq' },
  ];
  for (const condition of incomplete) await expectChoice(found(condition), 'contact-condition-incomplete');
});
