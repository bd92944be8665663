import { describe, expect, test } from 'vitest';
import { type ParameterForm, readHeader, readQuery } from '../../src/sandbox/read-parameters.ts';

const form = (name: string, schema: ParameterForm['schema'], style?: ParameterForm['style']): ParameterForm => ({
  name,
  schema,
  style,
});
const integers = { type: 'array', items: { type: 'integer' } };
const period = { type: 'object', properties: { from: { type: 'string' }, days: { type: 'integer' } } };

describe('a query', () => {
  test.each<[search: string, form: ParameterForm, value: unknown]>([
    ['ids=1', form('ids', integers), [1]],
    ['ids=1&ids=2', form('ids', integers), [1, 2]],
    ['ids=1,2', form('ids', integers, 'form'), [1, 2]],
    ['ids=1', form('ids', integers, 'form'), [1]],
    ['ids=1%202', form('ids', integers, 'spaceDelimited'), [1, 2]],
    ['ids=1|2', form('ids', integers, 'pipeDelimited'), [1, 2]],
    ['ids=a', form('ids', integers), ['a']],
    ['ids[from]=a&ids[days]=3', form('ids', period), { from: 'a', days: 3 }],
    ['from=a&days=3', form('ids', period, 'form'), { from: 'a', days: 3 }],
    ['ids=true', form('ids', { type: 'boolean' }), true],
    ['ids=yes', form('ids', { type: 'boolean' }), 'yes'],
    ['ids=1.5', form('ids', { type: 'number' }), 1.5],
    ['ids=', form('ids', { type: 'integer' }), ''],
    ['ids=7', form('ids', { type: 'string' }), '7'],
    ['ids=7', form('ids', { type: ['integer', 'string'] }), 7],
    ['ids=1&ids=2', form('ids', { type: 'integer' }), [1, 2]],
  ])('%s has the types of its parameter', (search, own, value) => {
    expect(readQuery(new URLSearchParams(search), [own])).toEqual({ ids: value });
  });

  test('keeps parameters that the spec does not describe, as texts', () => {
    expect(readQuery(new URLSearchParams('a=1&b=2&b=3&ids[other]=4'), [form('ids', period)])).toEqual({
      a: '1',
      b: ['2', '3'],
      'ids[other]': '4',
    });
  });

  test('can have a parameter with the name of what every object has', () => {
    const read = readQuery(new URLSearchParams('__proto__=1'), []);
    expect(Object.getOwnPropertyNames(read)).toEqual(['__proto__']);
    expect(Reflect.get({}, '1')).toBeUndefined();
  });
});

test('headers have the types of their parameters, and others are not read', () => {
  const headers = new Headers({ 'x-version': '3', 'x-dry': 'true', 'x-other': 'a' });
  const forms = [form('X-Version', { type: 'integer' }), form('X-Dry', { type: 'boolean' }), form('X-None', {})];
  expect(readHeader(headers, forms)).toEqual({ 'X-Version': 3, 'X-Dry': true });
});
