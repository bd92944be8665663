import { expect, test } from 'vitest';
import { writePath } from './written-path.ts';

const byInteger = { path: '/deals/{dealId}', record: { method: 'things.get', id: 'getDeal' } };
const byText = { path: '/messages/{id}', record: { method: 'things.get', id: 'getMessage', text: ['id'] } };

test.each([7, 0, -1, '7', '007'])('accepts an integer path value %j', (dealId) => {
  expect(writePath(byInteger, { dealId }, 'params.path')).toBe(`/deals/${dealId}`);
});

test.each([undefined, null])('says that a path value %j is missing', (value) => {
  expect(() => writePath(byInteger, { dealId: value }, '')).toThrow('dealId is missing');
  expect(() => writePath(byText, { id: value }, '')).toThrow('id is missing');
});

test.each([undefined, null, '', '.', '..', '%2e', '7/../8', '7 ', 'seven', 1.5, Number.NaN, Infinity, {}, [7], true])(
  'throws for an integer path value %j',
  (dealId) => {
    expect(() => writePath(byInteger, { dealId }, 'params.path')).toThrow(/^params\.path\.dealId (must be|is missing)/);
  },
);

test.each(['abc', 'a/b', '...', '..a', 'ü', '%2f', '2026-1'])('accepts a text path value %j', (id) => {
  expect(writePath(byText, { id }, 'params.path')).toBe(`/messages/${encodeURIComponent(id)}`);
});

test.each([undefined, null, '', '.', '..', '%2e', '%2E%2e', '.%2e', 7, {}, '\ud800'])(
  'throws for a text path value %j',
  (id) => {
    expect(() => writePath(byText, { id }, 'params.path')).toThrow(/^params\.path\.id (must|is missing)/);
  },
);

test('the error names the parameter as the program wrote it, but never its value', () => {
  const message = 'dealId must be an integer';
  expect(() => writePath(byInteger, { dealId: 'secret-value' }, '')).toThrow(
    expect.objectContaining({ message, place: 'dealId' }),
  );
});

test('ignores an inherited property as a path value', () => {
  expect(() =>
    writePath({ path: '/{constructor}', record: { method: 'things.get', id: 'x', text: ['constructor'] } }, {}, ''),
  ).toThrow(/is missing/);
});
