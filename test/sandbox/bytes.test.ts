import { expect, test } from 'vitest';
import { byteLength } from '../../src/sandbox/rules/bytes.ts';

test('the size of long texts in UTF-8 is exact, wherever they are cut into parts', () => {
  for (let start = 0; start < 4; start += 1) {
    for (const character of ['x', 'é', '€', '😀', '\ud800']) {
      const text = 'a'.repeat(start) + character.repeat(100_000);
      expect(byteLength([text, '', text]), `${start} ${character}`).toBe(2 * Buffer.byteLength(text));
    }
  }
});
