import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../src/client/core/redact.ts';

const key = 'k3y/v4lue"';

describe('redact', () => {
  test.each([
    ['as it is', key],
    ['in JSON', JSON.stringify({ key }).slice(8, -2)],
    ['in JSON of PHP, which escapes slashes', JSON.stringify({ key }).slice(8, -2).replaceAll('/', String.raw`\/`)],
    ['percent-encoded', encodeURIComponent(key)],
    ['in Base64', btoa(key).replace(/=+$/, '')],
  ])('replaces a credential %s, and nothing else', (_, said) => {
    expect(new Redactor([key]).redact(`Bad key ${said}, and ${said}.`)).toBe('Bad key [redacted], and [redacted].');
  });

  test('replaces the longest credential first, because it may contain another', () => {
    expect(new Redactor(['key-long', 'key-long-secret']).redact('key-long-secret')).toBe('[redacted]');
  });

  test('looks for credentials of eight characters or more', () => {
    expect(new Redactor(['', 'abcdefg', '12345678']).redact('abcdefg 12345678')).toBe('abcdefg [redacted]');
  });

  test.each(['ząb-ząb-ząb', '🙂🙂🙂🙂', 'lone \ud800 half'])('finds a credential of any letters: %j', (secret) => {
    expect(new Redactor([secret]).redact(`Bad key ${secret}.`)).toBe('Bad key [redacted].');
  });
});

describe('clean', () => {
  test('keeps 300 characters, and replaces each run of control characters by a space', () => {
    expect(new Redactor([]).clean('x'.repeat(300))).toBe('x'.repeat(300));
    expect(new Redactor([]).clean('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
    expect(new Redactor([]).clean(' a\r\n\tb\u0000 ')).toBe('a b');
  });

  test('reads 10,000 characters, and omits a longer text', () => {
    expect(new Redactor([]).clean(`${' '.repeat(9_999)}a`)).toBe('a');
    expect(new Redactor([]).clean(`${' '.repeat(9_999)}ab`)).toBe('[redacted]');
  });
});
