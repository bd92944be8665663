import { expect, test } from 'vitest';
import { keepLetters } from '../../../src/client/core/redact.ts';

const lettersOf = (text: string): string => new TextDecoder().decode(keepLetters(new TextEncoder().encode(text)));

test('keeps all ASCII letters and digits, and nothing else', () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');
  expect(lettersOf(`${ascii}żółć 🙂`)).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
});

test.each([
  ['Zq8%41%7a', 'Zq8Az'],
  ['Zq8\\x41\\X7A', 'Zq8Az'],
  ['Zq8\\u0041\\U007a', 'Zq8Az'],
  ['Zq8\\\\\\\\u0041', 'Zq8A'],
  // Characters other than letters.
  ['Zq8%00Xw', 'Zq8Xw'],
  ['Zq8\\x00Xw', 'Zq8Xw'],
  ['Zq8\\u0000Xw', 'Zq8Xw'],
  ['Zq8\\u0142Xw', 'Zq8Xw'],
])('decodes the escapes of %s', (text, letters) => {
  expect(lettersOf(text)).toBe(letters);
});

test.each([
  ['%4', '4'],
  ['%4g', '4g'],
  ['%g4', 'g4'],
  ['%4@', '4'],
  ['%4`', '4'],
  ['%/4', '4'],
  ['%:4', '4'],
  ['\\x4@', 'x4'],
  ['\\u004', 'u004'],
  ['\\n41', 'n41'],
])('keeps the letters of %s, which is not an escape', (text, letters) => {
  expect(lettersOf(text)).toBe(letters);
});

test.each([
  ['%41', 'A'],
  ['%252541', 'A'],
  ['%25252541', '41'],
  ['%5Cu0025%34%31', 'A'],
])('decodes up to three levels of escapes, so that any text takes linear time: %s', (text, letters) => {
  expect(lettersOf(text)).toBe(letters);
});
