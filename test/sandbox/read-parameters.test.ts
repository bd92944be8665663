import { describe, expect, test } from 'vitest';
import { readQuery } from '../../src/sandbox/http/read-parameters.ts';
import type { JsonSchema } from '../../src/shared/reference.ts';

const integers = { type: 'array', items: { type: 'integer' } };

describe('a query', () => {
  test.each<[search: string, schema: JsonSchema, value: unknown]>([
    ['ids=1', integers, [1]],
    ['ids=1&ids=2', integers, [1, 2]],
    ['ids=a', integers, ['a']],
    ['ids=true', { type: 'boolean' }, true],
    ['ids=yes', { type: 'boolean' }, 'yes'],
    ['ids=1.5', { type: 'number' }, 1.5],
    ['ids=', { type: 'integer' }, ''],
    ['ids=7', { type: 'string' }, '7'],
    ['ids=7', { type: ['integer', 'string'] }, 7],
    ['ids=1&ids=2', { type: 'integer' }, [1, 2]],
  ])('%s has the types of its parameter', (search, ids, value) => {
    expect(readQuery(new URLSearchParams(search), { ids })).toEqual({ ids: value });
  });

  test('keeps parameters that the spec does not describe, as texts', () => {
    expect(readQuery(new URLSearchParams('a=1&b=2&b=3&ids[other]=4'), { ids: integers })).toEqual({
      a: '1',
      b: ['2', '3'],
      'ids[other]': '4',
    });
  });

  test('can have a parameter with the name of what every object has', () => {
    const read = readQuery(new URLSearchParams('__proto__=1'), {});
    expect(Object.getOwnPropertyNames(read)).toEqual(['__proto__']);
    expect(Reflect.get({}, '1')).toBeUndefined();
  });
});
