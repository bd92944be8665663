import { expect, test } from 'vitest';
import { escapeInvisible, replaceControls, replaceInvisible } from '../../src/shared/invisible.ts';

const text = 'a\u001b[2J\n\u202eb\u200b\u{e0041}👨\u200d👩';

test('what a person reads has no character that a terminal obeys or that hides or reorders text; joined emoji stay', () => {
  expect(replaceInvisible(text)).toBe('a\ufffd[2J\ufffd\ufffdb\ufffd\ufffd👨\u200d👩');
  expect(replaceInvisible(text, '\n')).toBe('a\ufffd[2J\n\ufffdb\ufffd\ufffd👨\u200d👩');
});

test('data loses only control characters', () => {
  expect(replaceControls(text, '\n')).toBe('a\ufffd[2J\n\u202eb\u200b\u{e0041}👨\u200d👩');
});

test('each invisible character can be shown by its number', () => {
  expect(escapeInvisible(text, '\n')).toBe('a\\u001b[2J\n\\u202eb\\u200b\\udb40\\udc41👨\\u200d👩');
});
