import { expect, test } from 'vitest';
import { inside } from '../../../src/client/core/bad-value.ts';

test('joins a place and the name of a field, and quotes a name that is no identifier', () => {
  expect(inside('', 'email')).toBe('email');
  expect(inside('emails[1]', 'email')).toBe('emails[1].email');
  expect(inside('deal', 'own field')).toBe('deal["own field"]');
  expect(inside('deal', 'n'.repeat(61))).toBe(`deal.${'n'.repeat(60)}…`);
});
