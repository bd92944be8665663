import { expect, test } from 'vitest';
import { createResponseValidator } from '../../../src/client/validate.ts';

const validator = createResponseValidator();
const deal = { id: 501, name: 'Annual plan renewal', status: 1 };

test('a missing field, another type and an unknown value of an enum are drifts', () => {
  const { id, ...withoutId } = deal;
  expect(validator.check('getDeal', { data: deal })).toEqual([]);
  expect(validator.check('getDeal', { data: withoutId })).toEqual([expect.stringContaining('data.id')]);
  expect(validator.check('getDeal', { data: { ...deal, id: String(id) } })).toEqual([
    expect.stringContaining('data.id'),
  ]);
  expect(validator.check('getDeal', { data: { ...deal, status: 99 } })).toEqual([
    expect.stringContaining('data.status'),
  ]);
});

test('a new field is not a drift', () => {
  expect(validator.check('getDeal', { data: { ...deal, brandNew: true } })).toEqual([]);
});
