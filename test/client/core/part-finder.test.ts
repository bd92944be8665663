import { expect, test } from 'vitest';
import { createPartFinder } from '../../../src/client/core/redact.ts';

const finds = (parts: string[], text: string): boolean => createPartFinder(parts)(new TextEncoder().encode(text));

test.each<[string, string[], string]>([
  ['at the beginning', ['Zq8-Xw3!'], 'Zq8-Xw3! is wrong'],
  ['at the end', ['Zq8-Xw3!'], 'The key is Zq8-Xw3!'],
  ['as the whole text', ['Zq8-Xw3!'], 'Zq8-Xw3!'],
  ['of letters beyond Latin', ['zażółć gęślą'], 'Key: zażółć gęślą.'],
  ['of fewer than eight bytes', ['Zq8'], 'The key is Zq8.'],
  ['beside others of fewer than eight bytes', ['Xw3', 'Zq8', 'f0r'], 'The key is Zq8.'],
  ['beside others of any length', ['Xw3', 'eyJhbGciOiJI', 'Zq8-Xw3!'], 'The key is Zq8-Xw3!'],
  // They have the same hash, which covers the last eight bytes.
  ['that ends like one before it', ['live-4f9c2b7a1d', 'test-4f9c2b7a1d'], 'The key is test-4f9c2b7a1d'],
  ['that ends like one after it', ['test-4f9c2b7a1d', 'live-4f9c2b7a1d'], 'The key is test-4f9c2b7a1d'],
  ['among a thousand', Array.from({ length: 1_000 }, (_, id) => `contact-${id}`), 'No contact-999 here'],
])('finds a part %s', (_, parts, text) => {
  expect(finds(parts, text)).toBe(true);
});

test.each<[string, string[], string]>([
  ['without parts', [], 'Zq8-Xw3!'],
  ['that is empty', ['Zq8-Xw3!', 'Zq8'], ''],
  ['shorter than the part', ['Zq8-Xw3!'], 'Zq8-Xw3'],
  ['with another letter', ['Zq8-Xw3!', 'Zq8'], 'zq8-Xw3!'],
  ['with only the end of a longer part', ['live-4f9c2b7a1d'], 'test-4f9c2b7a1d'],
  ['that begins with the end of a part', ['live-4f9c2b7a1d'], '4f9c2b7a1d'],
])('finds nothing in a text %s', (_, parts, text) => {
  expect(finds(parts, text)).toBe(false);
});
