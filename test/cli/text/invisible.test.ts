import { expect, test } from 'vitest';
import { escapeInvisible, replaceControls, replaceInvisible } from '../../../src/cli/text/invisible.ts';

const text = 'a\u001b[2J\n\u202eb\u200b\u{e0041}👨\u200d👩';

test('replaces characters that control a terminal or hide or reorder text, but keeps joined emoji', () => {
  expect(replaceInvisible(text)).toBe('a\ufffd[2J\ufffd\ufffdb\ufffd\ufffd👨\u200d👩');
  expect(replaceInvisible(text, '\n')).toBe('a\ufffd[2J\n\ufffdb\ufffd\ufffd👨\u200d👩');
});

test('replaces only control characters in data', () => {
  expect(replaceControls(text, '\n')).toBe('a\ufffd[2J\n\u202eb\u200b\u{e0041}👨\u200d👩');
});

test('can escape each invisible character', () => {
  expect(escapeInvisible(text, '\n')).toBe('a\\u001b[2J\n\\u202eb\\u200b\\udb40\\udc41👨\\u200d👩');
});
