import { expect, test } from 'vitest';
import type { PrismOperation } from '../../src/mock/operation.ts';
import { listViolations } from '../../src/mock/violations.ts';

test.each([
  ['a~1b', 'a/b'],
  ['a~0b', 'a~b'],
  ['a~01b', 'a~1b'],
])('a place %s of a JSON pointer is the field %s', (segment, name) => {
  const diagnostic = { location: ['body', segment], message: 'must be string', code: 'type', severity: 0 };
  const operation: Partial<PrismOperation> = {};
  expect(listViolations([diagnostic], operation as PrismOperation)).toEqual([
    { location: ['body', name], message: 'must be string', code: 'type' },
  ]);
});
