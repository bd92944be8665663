import { expect, test } from 'vitest';
import { readBodyTexts } from '../../../src/client/core/redact.ts';

test.each<[string, unknown, string[], string[]]>([
  ['a number', 1, [], []],
  ['one text', 'Ann Kowal', [], ['Ann Kowal']],
  ['a field', { firstName: 'Ann Kowal' }, [], ['Ann Kowal']],
  ['a field whose name is a text', { 'first "name" of the contact': 1 }, [], []],
  ['a text of the shortest length', { name: 'Kowalska' }, [], ['Kowalska']],
  ['a text below the shortest length', { name: 'Kowalsk' }, [], []],
  ['a text that is long only because of escapes', { name: '\n"Ann"\n' }, [], []],
  ['an escaped text', { name: '"Ann" \\ Kowal\n' }, [], ['"Ann" \\ Kowal\n']],
  ['a client secret', { client_secret: 'cl13nt"s3cret' }, ['cl13nt"s3cret'], []],
  ['a short client secret', { webhook_secret: 's3' }, ['s3'], []],
  ['an empty client secret', { client_secret: '' }, [], []],
  ['a client secret that is not a text', { client_secret: 1, name: 'Ann Kowal' }, [], ['Ann Kowal']],
  ['the same text twice', ['Ann Kowal', 'Ann Kowal'], [], ['Ann Kowal', 'Ann Kowal']],
  ['a text after a client secret', [{ client_secret: 's3' }, 'Ann Kowal'], ['s3'], ['Ann Kowal']],
  ['a text that contains the word', { name: 'the secret of Ann' }, [], ['the secret of Ann']],
  ['texts in lists and records', [['Ann Kowal'], { deep: { name: 'Bob Kowal' } }], [], ['Ann Kowal', 'Bob Kowal']],
])('reads the secrets and other texts of a body: %s', (_, body, secrets, texts) => {
  expect(readBodyTexts(JSON.stringify(body), 8)).toEqual({ secrets: new Set(secrets), texts });
});
