import { expect, test } from 'vitest';
import { isCarillonError } from '../../src/core/errors/is-carillon-error.ts';
import { fillPath } from '../../src/core/path.ts';

const byInteger = ['/deals/{dealId}', { id: 'getDeal' }] as const;
const byText = ['/messages/{id}', { id: 'getMessage', text: ['id'] }] as const;

test.each([7, 0, -1, '7', '007'])('an integer path value %j passes', (dealId) => {
  expect(fillPath(...byInteger, { dealId })).toBe(`/deals/${dealId}`);
});

test.each([undefined, null, '', '.', '..', '%2e', '7/../8', '7 ', 'seven', 1.5, Number.NaN, Infinity, {}, [7], true])(
  'an integer path value %j is refused',
  (dealId) => {
    expect(() => fillPath(...byInteger, { dealId })).toThrow(/path parameter dealId .*nothing was sent/);
  },
);

test.each(['abc', 'a/b', '...', '..a', 'ü', '%2f', '2026-1'])('a text path value %j passes', (id) => {
  expect(fillPath(...byText, { id })).toBe(`/messages/${encodeURIComponent(id)}`);
});

test.each([undefined, null, '', '.', '..', '%2e', '%2E%2e', '.%2e', 7, {}, '\ud800'])(
  'a text path value %j is refused',
  (id) => {
    expect(() => fillPath(...byText, { id })).toThrow(/path parameter id /);
  },
);

test('the error names the parameter, never its value, and says that nothing was sent', () => {
  try {
    fillPath(...byInteger, { dealId: 'secret-value' });
    expect.unreachable();
  } catch (error) {
    expect(isCarillonError(error, 'ArgumentError') && error.sent).toBe('no');
    expect(String(error)).not.toContain('secret-value');
  }
});

test('an inherited property is no path value', () => {
  expect(() => fillPath('/{constructor}', { id: 'x', text: ['constructor'] }, {})).toThrow(/is missing/);
});
