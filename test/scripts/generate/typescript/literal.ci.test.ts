import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { literal } from '../../../../scripts/generate/typescript/literal.ts';
import fc from '../../../fast-check.ts';

describe('a value as source code', () => {
  // In source code, `__proto__` does not name a property.
  const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));

  it('evaluates to the value', () => {
    fc.assert(
      fc.property(values, (value) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(JSON.stringify(runInNewContext(`(${literal(json)})`)))).toEqual(json);
      }),
    );
  });

  it('stays on one line if it fits', () => {
    const value = { id: 1, tags: ['a', "b's"], 'full-name': null };
    expect(literal(value)).toBe(`{ id: 1, tags: ['a', "b's"], 'full-name': null }`);
    expect(literal(value, '', 20)).toBe(`{\n  id: 1,\n  tags: ['a', "b's"],\n  'full-name': null,\n}`);
    expect(literal({ name: 'x'.repeat(60), ids: [1] })).toBe(`{\n  name: '${'x'.repeat(60)}',\n  ids: [1],\n}`);
  });
});
