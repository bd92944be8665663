import { expect, test } from 'vitest';
import { shorten, unknownName } from '../../src/shared/unknown-name.ts';

const kind = { one: 'option ', all: 'options' };

test('suggests the closest known name, and lists all', () => {
  expect(unknownName(['seed', 'stirct'], ['seed', 'strict'], kind)).toBe(
    'there is no option stirct, did you mean strict? The options are seed, strict',
  );
  expect(unknownName(['x'], ['seed'], kind)).toBe('there is no option x. The options are seed');
  expect(unknownName(['seed'], ['seed'], kind)).toBeUndefined();
});

test('cuts names of more than 60 characters', () => {
  expect(shorten('n'.repeat(60))).toBe('n'.repeat(60));
  expect(shorten('n'.repeat(61))).toBe(`${'n'.repeat(60)}…`);
});
