import { describe, expect, test } from 'vitest';
import { type ParameterForm, readQuery } from '../../src/sandbox/read-parameters.ts';

const form = (name: string, schema: ParameterForm['schema']): ParameterForm => ({ name, schema });
const integers = { type: 'array', items: { type: 'integer' } };

describe('a query', () => {
  test.each<[search: string, form: ParameterForm, value: unknown]>([
    ['ids=1', form('ids', integers), [1]],
    ['ids=1&ids=2', form('ids', integers), [1, 2]],
    ['ids=a', form('ids', integers), ['a']],
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
    expect(readQuery(new URLSearchParams('a=1&b=2&b=3&ids[other]=4'), [form('ids', integers)])).toEqual({
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
