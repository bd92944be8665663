import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { cleanCause } from '../../../src/client/core/cause.ts';
import { Redactor } from '../../../src/client/core/redact.ts';
import { amounts } from '../../support/amounts.ts';

const megabytes = amounts.textMegabytes;
const length = megabytes * 2 ** 20;
const hidden = '[redacted]';
/** Generous for slow machines and measured coverage. Work in the square of the length would take hours. */
const maxMilliseconds = 60_000;

const tokens = Array.from(
  { length: 20 },
  (_, id) => `eyJhbGciOiJIUzI1NiJ9.${`claims${id}of4nn`.repeat(100)}.Zq8-Xw3${id}`,
);

/** A long text that repeats another one. */
const fill = (part: string): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);

function timed<Result>(action: () => Result): Result {
  const started = performance.now();
  const result = action();
  expect(performance.now() - started).toBeLessThan(maxMilliseconds);
  return result;
}

const texts: Record<string, string> = {
  backslashes: fill('\\'),
  'backslashes before half an escape': fill(`${'\\'.repeat(1_000)}x4-`),
  'percent signs': fill('%'),
  'half escapes': fill('%4\\x4\\u004'),
  'a run of \\u00': fill('\\u00'),
  'escaped letters': fill('%41\\x42\\u0043'),
  'escapes of other letters': fill('\\u0142'),
  'escapes of three levels': fill('%25255Cu0%30%34%31'),
  'escapes nested without end': `%${fill('25')}`,
  'one digit': fill('4'),
  'one letter': fill('A'),
  'beginnings of a token': fill('eyJhbGc. eyJhbG%63!'),
  'lone surrogates': fill('\ud800'),
  'letters beyond Latin': fill('żółw € '),
  JSON: fill('{"id":501,"name":"Ann Kowal","note":"C:\\\\temp\\n"},'),
};

test.each(Object.entries(texts))(`searches ${megabytes} MB of %s in one pass`, (_, text) => {
  const redactor = new Redactor(tokens);
  expect(timed(() => redactor.redact(text)) === text).toBe(true);
  expect(timed(() => redactor.clean(text))).toBe(hidden);
});

test.each(Object.entries(texts))(`finds a token at the end of ${megabytes} MB of %s`, (_, text) => {
  const redactor = new Redactor(tokens);
  for (const token of [tokens[0], tokens[19]]) expect(timed(() => redactor.redact(`${text} ${token}`))).toBe(hidden);
});

const lists = (count: number, entry: (id: number) => unknown): string =>
  JSON.stringify(Array.from({ length: count }, (_, id) => entry(id)));

const bodies: Record<string, string> = {
  'a text per character': `[${fill('"a",').slice(0, -1)}]`,
  'one text of eight characters, again and again': lists(length / 11, () => 'Ann12345'),
  'different texts': lists(length / 16, (id) => `Contact ${id}`),
  'different texts that begin like the message': lists(length / 40, (id) => `https://shop.example.com/${id}`),
  'different fields': `{${Array.from({ length: length / 20 }, (_, id) => `"field${id}":"${id}"`)}}`,
  'escaped texts': lists(length / 21, () => '\n'.repeat(9)),
  'one text': JSON.stringify(fill('a')),
  'one text of backslashes': JSON.stringify('\\'.repeat(length / 2)),
  'lists in lists': '['.repeat(length / 2) + ']'.repeat(length / 2),
  'records in records': `${'{"secret":'.repeat(length / 16)}"a"${'}'.repeat(length / 16)}`,
  'the same client secret': lists(length / 34, () => ({ client_secret: 'cl13nt-s3cret' })),
  'different client secrets': lists(length / 40, (id) => ({ client_secret: `cl13nt-s3cret-${id}` })),
  'a long client secret': JSON.stringify({ client_secret: fill('cl13nt-s3cret') }),
};

test.each(Object.entries(bodies))(`searches a request of ${megabytes} MB with %s in one pass`, (_, body) => {
  const redactor = new Redactor(tokens, body);
  const message = 'See https://shop.example.com/help: no deal for Ann';
  expect(timed(() => redactor.clean(message))).toMatch(/^(See .* Ann|\[redacted\])$/);
  // Later texts do not read the request again.
  expect(timed(() => Array.from({ length: 10 }, () => redactor.clean(message)))).toHaveLength(10);
  expect(timed(() => redactor.redact(message))).toMatch(/^(See .* Ann|\[redacted\])$/);
});

test(`redacts a message that repeats a text from a request of ${megabytes} MB`, () => {
  const redactor = new Redactor(
    tokens,
    lists(length / 16, (id) => `Contact ${id}`),
  );
  expect(timed(() => redactor.clean('There is no "Contact 11000" here'))).toBe('There is no "[redacted]" here');
});

const fan = (depth: number): Error =>
  new AggregateError(depth === 0 ? [] : Array.from({ length: 5 }, () => fan(depth - 1)), 'x'.repeat(9_999), {
    cause: new Error('y'.repeat(9_999)),
  });
const withStack = (stack: string): Error => Object.assign(new Error('failed'), { stack });

const causes: Record<string, () => unknown> = {
  'a long message': () => new Error(fill('\\')),
  'a long name and code': () => Object.assign(new Error('failed'), { name: fill('%'), code: fill('\\u00') }),
  'a long stack': () => withStack(fill('\n    at run (file.js:1:1)')),
  'a stack of one long frame': () => withStack(`Error\n    at ${fill('\\')}`),
  'a stack of blanks': () => withStack(fill('\n        ')),
  'five errors, each with five, and so on': () => fan(5),
  'a chain of causes': () =>
    Array.from({ length: 1_000 }).reduce<unknown>((cause) => new Error('z'.repeat(9_999), { cause }), undefined),
  'a long text': () => fill('\\'),
};

test.each(Object.entries(causes))('copies %s quickly as a short cause', (_, create) => {
  const error = create();
  const body = lists(length / 160, (id) => `Contact ${id}`);
  const copy = timed(() => cleanCause(error, new Redactor(tokens, body)));
  expect(inspect(copy, { depth: 99, maxStringLength: null }).length).toBeLessThan(200_000);
});
