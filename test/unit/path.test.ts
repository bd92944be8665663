import { expect, test } from 'vitest';
import { isArgumentError } from '../../src/core/errors/local-errors.ts';
import { checkPath } from '../../src/core/path.ts';

const byInteger = { id: 'getDeal', path: { dealId: 'integer' } };
const byText = { id: 'getMessage', path: { id: 'string' } };

test.each([7, 0, -1, '7', '007'])('an integer path value %j passes', (dealId) => {
  expect(() => checkPath(byInteger, { dealId })).not.toThrow();
});

test.each([undefined, null, '', '.', '..', '%2e', '7/../8', '7 ', 'seven', 1.5, Number.NaN, Infinity, {}, [7], true])(
  'an integer path value %j is refused',
  (dealId) => {
    expect(() => checkPath(byInteger, { dealId })).toThrow(/path parameter dealId .*nothing was sent/);
  },
);

test.each(['abc', 'a/b', '...', '..a', 'ü', '%2f', '2026-1'])('a text path value %j passes', (id) => {
  expect(() => checkPath(byText, { id })).not.toThrow();
});

test.each([undefined, null, '', '.', '..', '%2e', '%2E%2e', '.%2e', 7, {}, '\ud800'])(
  'a text path value %j is refused',
  (id) => {
    expect(() => checkPath(byText, { id })).toThrow(/path parameter id /);
  },
);

test('the error names the parameter, never its value, and tells that nothing was sent', () => {
  try {
    checkPath(byInteger, { dealId: 'secret-value' });
    expect.unreachable();
  } catch (error) {
    expect(isArgumentError(error) && error.sent).toBe('no');
    expect(String(error)).not.toContain('secret-value');
  }
});

test('an inherited property is no path value', () => {
  expect(() => checkPath({ id: 'x', path: { constructor: 'string' } }, {})).toThrow(/is missing/);
});
