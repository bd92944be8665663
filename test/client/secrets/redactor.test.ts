import { expect, test } from 'vitest';
import { cleanCause } from '../../../src/client/core/cause.ts';
import { Redactor } from '../../../src/client/core/redact.ts';
import fc, { samples } from '../../fast-check.ts';
import { forms } from './outputs.ts';

const hidden = '[redacted]';
const apiKey = 'Zq8-Xw3!f0r/4nn';

const visible = fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code));
const plainKey = fc.string({ unit: fc.constantFrom(...'abcXYZ0189-_.+/=~"'), minLength: 8, maxLength: 80 });
/** A text that looks like an escape needs its own level. */
const keyLikeEscapes = fc.string({ unit: fc.constantFrom(...'%\\xu041aZ-'), minLength: 12, maxLength: 40 });
const quotes = [
  'in JSON',
  'in JSON within JSON',
  'with \\u escapes',
  'percent-encoded',
  'percent-encoded, every byte',
  'with \\x escapes',
] as const;
const quoting = fc.constantFrom(...quotes.map((name) => forms[name] ?? String));

test.each([
  ['a key', plainKey, 3],
  ['a key that looks like escapes', keyLikeEscapes, 1],
])('finds %s within doubly escaped text', (_, secret, maxLength) => {
  fc.assert(
    fc.property(secret, fc.array(quoting, { maxLength }), (key, escapes) => {
      const written = escapes.reduce((text, write) => write(text), key);
      expect(new Redactor([key]).redact(`Bad key: ${written}.`)).toBe(hidden);
    }),
    { numRuns: samples(200) },
  );
});

test('finds the first and last eight characters of a key in any form', () => {
  fc.assert(
    fc.property(fc.string({ unit: visible, minLength: 16, maxLength: 80 }), fc.constantFrom(...quotes), (key, name) => {
      for (const part of [key.slice(0, 8), key.slice(-8)]) {
        // Characters other than letters and digits are found only unescaped.
        const written = /^[a-z\d]{8}$/i.test(part) ? (forms[name] ?? String)(part) : part;
        expect(new Redactor([key]).redact(`Bad key: ${written}.`)).toBe(hidden);
      }
    }),
  );
});

test('finds a key of any letters as a whole, and by eight of its characters', () => {
  const key = fc.string({ unit: fc.constantFrom('ż', 'ó', '🙂', '€', 'a', '\ud800'), minLength: 8, maxLength: 30 });
  fc.assert(
    fc.property(key, (text) => {
      const redactor = new Redactor([text]);
      for (const part of [text, text.slice(0, 8), text.slice(-8), JSON.stringify({ text })]) {
        expect(redactor.redact(`Bad key: ${part}.`)).toBe(hidden);
      }
    }),
  );
});

test('finds a key of a few characters in Base64, whatever is around it', () => {
  const word = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...'abcXYZ0189'), minLength, maxLength });
  fc.assert(
    fc.property(word(4, 10), word(0, 5), word(0, 3), (key, before, after) => {
      expect(new Redactor([key]).redact(`Bad header: ${btoa(before + key + after)}.`)).toBe(hidden);
    }),
    { numRuns: samples(200) },
  );
});

test.each([
  ['three levels of percent signs', 'Zq8Xw%252533f0r4nn'],
  ['an escape whose digits are escaped', 'Zq8Xw%%33%33f0r4nn'],
  ['an escape whose backslash is escaped', 'Zq8Xw\\x5cu0033f0r4nn'],
  ['a run of backslashes', `Zq8Xw${'\\'.repeat(1_000)}x33f0r4nn`],
  ['escapes in capital letters', 'Zq8Xw\\U0033f0r4nn'],
  ['other letters between its own', 'Zq8Xw\\u01423%c5%82f0r4nn'],
])('finds a key with %s', (_, text) => {
  expect(new Redactor([apiKey]).redact(`{"key":"${text}"}`)).toBe(hidden);
});

test.each(['Zq8-Xw3 f', '100 % of \\users\\Ann', '%4\\x4\\u004', '\ud800 \udc00 🙂', ''])(
  'leaves a text without the key unchanged: %j',
  (text) => {
    expect(new Redactor([apiKey]).redact(text)).toBe(text);
  },
);

test('a client secret in the body is a credential for every output, even before an error is read', () => {
  const redactor = new Redactor([], JSON.stringify({ client_secret: 'cl13nt"s3cret', name: 'secret Ann' }));
  expect(redactor.redact('cl13nt\\"s3cret')).toBe(hidden);
  expect(redactor.redact('secret Ann')).toBe('secret Ann');
});

test('does not redact field names, at any depth of the body', () => {
  const body = JSON.stringify({ pipelineId: 1, deep: [[{ firstName: 'Ann "A" Kowal\n' }]], 'last":"name': 'x' });
  const redactor = new Redactor([], body);
  expect(redactor.clean('pipelineId is unknown, firstName "Ann "A" Kowal\n" too')).toBe(
    'pipelineId is unknown, firstName "[redacted]" too',
  );
});

test('redacts and keeps a message after a body that is nested a million deep', () => {
  const redactor = new Redactor([], `${'['.repeat(1e6)}"Contact 4400"${']'.repeat(1e6)}`);
  expect(redactor.clean('No "Contact 4400" here')).toBe('No "[redacted]" here');
});

test('omits a message that repeats more of a request than can be compared', () => {
  const message = Array.from({ length: 700 }, (_, id) => `Contact ${id}`).join();
  const parts = Array.from({ length: 9_000 }, (_, at) =>
    message.slice(at % 300, (at % 300) + 20 + Math.floor(at / 300)),
  );
  expect(new Redactor([], JSON.stringify(parts)).clean(message)).toBe(hidden);
});

test.each([
  ['texts that only begin like the message', Array.from({ length: 10_000 }, (_, id) => `Contact ${id} of Ann`)],
  ['a text that repeats a part of the message', ['Contact '.repeat(20_000)]],
])('a long request hides no message that does not repeat it: %s', (_, texts) => {
  const message = 'Contact of Ann has no Contact ';
  const redactor = new Redactor([], JSON.stringify([...texts, 'no email address']));
  expect(redactor.clean(`${message}and no email address`)).toBe(`${message}and ${hidden}`);
});

test.each<[string, Redactor]>([
  ['credentials', new Redactor([apiKey.repeat(10_000), `live-${apiKey.repeat(10_000)}`])],
  ['secrets of the body', new Redactor([], JSON.stringify({ client_secret: apiKey.repeat(20_000) }))],
])('omits every text if %s are too long to search for', (_, redactor) => {
  expect([redactor.redact('a'), redactor.clean('a')]).toEqual([hidden, hidden]);
});

test('does not change the given list of credentials', () => {
  const credentials = [apiKey];
  new Redactor(credentials, '{"client_secret":"cl13nt-s3cret"}').clean('text');
  expect(credentials).toEqual([apiKey]);
});

test('a cause has at most ten errors, starting with the first of each level', () => {
  const fan = (depth: number, name: string): Error =>
    depth === 0
      ? new Error(name)
      : new AggregateError(
          [0, 1, 2, 3, 4, 5].map((at) => fan(depth - 1, `${name}.${at}`)),
          name,
        );
  const copies = (error: unknown): string[] =>
    error instanceof Error
      ? [error.message, ...((Reflect.get(error, 'errors') ?? []) as unknown[]).flatMap(copies)]
      : [];
  expect(copies(cleanCause(fan(1, 'a'), new Redactor([])))).toEqual(['a', 'a.0', 'a.1', 'a.2', 'a.3', 'a.4']);
  expect(copies(cleanCause(fan(4, 'a'), new Redactor([])))).toHaveLength(10);
});

test('reads frames after a message of any length', () => {
  const error = new Error('failed\n'.repeat(100_000));
  error.stack = `${error.message}\n    at first (file.js:1:1)\n    at second (file.js:2:1)`;
  expect(cleanCause(error, new Redactor([]))?.stack).toBe(
    'Error: [redacted]\n    at first (file.js:1:1)\n    at second (file.js:2:1)',
  );
});
