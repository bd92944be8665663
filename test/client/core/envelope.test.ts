import { expect, test } from 'vitest';
import { unwrap } from '../../../src/client/core/read.ts';
import type { OperationRecord } from '../../../src/shared/operation.ts';

const operation = (data: Partial<OperationRecord> = {}): OperationRecord => ({
  id: 'test',
  method: 'things.get',
  ...data,
});
const data = operation({ payload: 'data' });

test.each<[string, OperationRecord, unknown, unknown, unknown]>([
  ['{data: X} gives X', data, { data: { id: 1 } }, { id: 1 }, undefined],
  [
    '{data, meta} lifts the members of meta',
    data,
    { data: [1], meta: { total: 9, searchRequest: 's' } },
    [1],
    { total: 9, searchRequest: 's' },
  ],
  ['{data, total} gives total as meta', data, { data: [1], total: 9 }, [1], { total: 9 }],
  [
    '{data: {list, total}} gives the list',
    operation({ payload: 'data.list' }),
    { data: { list: [1], total: 9, searchRequest: 's' } },
    [1],
    { total: 9, searchRequest: 's' },
  ],
  [
    '{data: {result, data}} gives the inner data',
    operation({ payload: 'data.data' }),
    { data: { result: true, data: [1] } },
    [1],
    { result: true },
  ],
  ['{result, data} gives data', data, { result: true, data: { task_id: 1 } }, { task_id: 1 }, { result: true }],
  [
    '{data: {result, error}} stays whole',
    data,
    { data: { result: true, error: null } },
    { result: true, error: null },
    undefined,
  ],
  ['a bare array stays', operation(), [1, 2], [1, 2], undefined],
  ['{total} stays', operation(), { total: 3 }, { total: 3 }, undefined],
  ['{result, id} stays', operation(), { result: true, id: 'x' }, { result: true, id: 'x' }, undefined],
  ['null as payload stays null', data, { data: null }, null, undefined],
  ['an empty body gives nothing', data, undefined, undefined, undefined],
  ['a body is ignored if none is documented', operation({ empty: true }), { data: 1 }, undefined, undefined],
  [
    'one record becomes a list of one where a list is inferred',
    operation({ payload: 'data[]' }),
    { data: { id: 1 } },
    [{ id: 1 }],
    undefined,
  ],
  [
    'a list stays a list where a list is inferred',
    operation({ payload: 'data[]' }),
    { data: [{ id: 1 }] },
    [{ id: 1 }],
    undefined,
  ],
])('%s', (_, described, body, expected, meta) => {
  expect(unwrap(body, described)).toEqual({ data: expected, meta });
});

test('keeps a field named meta that is no record, and adds none', () => {
  expect(unwrap({ data: [1], meta: 'page 1', total: 9 }, data).meta).toStrictEqual({ meta: 'page 1', total: 9 });
  expect(unwrap({ data: [1], meta: null }, data).meta).toStrictEqual({ meta: null });
  expect(unwrap({ data: [1], total: 9 }, data).meta).toStrictEqual({ total: 9 });
});

test('returns a body without the documented key unchanged, and names the key', () => {
  expect(unwrap({ items: [] }, data)).toEqual({ data: { items: [] }, meta: undefined, missing: 'data' });
  expect(unwrap({ data: { items: [] } }, operation({ payload: 'data.list' })).missing).toBe('list');
  expect(unwrap([1], data)).toEqual({ data: [1], meta: undefined, missing: 'data' });
});

test('a reply with __proto__ does not pollute prototypes', () => {
  const body: unknown = JSON.parse(
    '{"data": {"list": [], "__proto__": {"polluted": true}}, "__proto__": {"polluted": true}}',
  );
  const { meta } = unwrap(body, operation({ payload: 'data.list' }));
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Object.getPrototypeOf(meta)).toBe(Object.prototype);
});

test('ignores inherited members of a payload', () => {
  expect(unwrap({}, operation({ payload: 'data' })).missing).toBe('data');
});
