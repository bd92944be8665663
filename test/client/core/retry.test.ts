import { expect, test, vi } from 'vitest';
import { failedToConnect } from '../../../src/client/core/connection-failure.ts';
import { type AttemptOutcome, parseRetryAfter, retryDelay } from '../../../src/client/core/retry.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const repeatable = { repeatable: true, maxRetries: 2, replayCreates: true };
const creating = { ...repeatable, repeatable: false };
const answered = (status: number, retryAfter: string | null = null): AttemptOutcome => ({ status, retryAfter });
const decide = (outcome: AttemptOutcome, rules = repeatable, attempt = 0, random = 1) =>
  retryDelay(outcome, rules, attempt, now, random);

test.each([408, 429, 500, 502, 503, 504])('retries status %i if the operation is repeatable', (status) => {
  expect(decide(answered(status))).toBe(500);
});

test.each([0, 200, 201, 204, 302, 304, 400, 401, 403, 404, 405, 409, 410, 413, 422, 425, 501, 505])(
  'status %i is final',
  (status) => {
    expect(decide(answered(status))).toBeUndefined();
    expect(decide(answered(status, '1'))).toBeUndefined();
  },
);

test('does not retry a failure that would repeat', () => {
  expect(decide({ sent: 'no', isFinal: true })).toBeUndefined();
  expect(decide({ sent: 'maybe', isFinal: true })).toBeUndefined();
});

test.each([408, 500, 502, 503, 504])('status %i is final if the operation creates something', (status) => {
  expect(decide(answered(status), creating)).toBeUndefined();
  expect(decide(answered(status, '0'), creating)).toBeUndefined();
});

test('retries 429 for every operation, except creations with replayCreates: false', () => {
  expect(decide(answered(429, '3'), { ...creating, replayCreates: false })).toBeUndefined();
  expect(decide(answered(429, '3'), { ...repeatable, replayCreates: false })).toBe(3_000);
  expect(decide(answered(429), creating)).toBe(500);
  expect(decide(answered(429, '3'), creating)).toBe(3_000);
});

test.each<[AttemptOutcome, number | undefined, number | undefined]>([
  [{ sent: 'no' }, 500, 500],
  [{ sent: 'maybe' }, 500, undefined],
  [{ sent: 'yes' }, 500, undefined],
])('after %j, a repeatable operation waits %j ms, and one that creates %j', (outcome, safe, unsafe) => {
  expect(decide(outcome)).toBe(safe);
  expect(decide(outcome, creating)).toBe(unsafe);
});

test.each([
  [0, 0, false],
  [1, 0, true],
  [1, 1, false],
  [2, 1, true],
  [2, 2, false],
  [2, 5, false],
])('with maxRetries %i, retries after try %i: %j', (maxRetries, attempt, again) => {
  const rules = { ...repeatable, maxRetries };
  expect(decide(answered(503), rules, attempt) !== undefined).toBe(again);
  expect(decide({ sent: 'no' }, rules, attempt) !== undefined).toBe(again);
  expect(decide(answered(429, '0'), rules, attempt) !== undefined).toBe(again);
});

test.each([
  [0, 500],
  [1, 1_000],
  [2, 2_000],
  [3, 4_000],
  [4, 8_000],
  [5, 8_000],
  [50, 8_000],
])('after try %i, waits up to %i ms (full jitter)', (attempt, longest) => {
  const rules = { ...repeatable, maxRetries: 100 };
  expect(decide(answered(503), rules, attempt, 0)).toBe(0);
  expect(decide(answered(503), rules, attempt, 0.25)).toBe(longest / 4);
  expect(decide(answered(503), rules, attempt, 1)).toBe(longest);
});

test.each([
  ['0', 0],
  ['1', 1_000],
  [' 7 ', 7_000],
  ['120', 120_000],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
  ['Sat Nov 21 12:00:30 2026', 30_000],
  ['Tue Dec  1 12:00:00 2026', 10 * 86_400_000],
  ['Sat, 21 Nov 2026 11:59:00 GMT', 0],
])('Retry-After %j means %i ms', (header, milliseconds) => {
  expect(parseRetryAfter(header, now)).toBe(milliseconds);
});

test('a date without a zone is GMT in every local time zone', () => {
  vi.stubEnv('TZ', 'America/New_York');
  try {
    expect(new Date(now).getTimezoneOffset()).toBe(300);
    expect(parseRetryAfter('Sat Nov 21 12:00:30 2026', now)).toBe(30_000);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  null,
  '',
  ' ',
  '-1',
  '+1',
  '1.5',
  '1e3',
  '0x10',
  'soon',
  '3, 5',
  'NaN',
  'Infinity',
  '2026-11-21T12:00:30Z',
  'Sat, 21 Nov 2026 12:00:30 PST',
  'on Sat, 21 Nov 2026 12:00:30 GMT',
  'Sat, 21 Nov 2026 12:00:30 GMT+0100',
  'Sat, 21 Nov 2026 12:00:30 +0000',
  'Sat, 99 Nov 2026 12:00:30 GMT',
  'Sat, 21 Abc 2026 12:00:30 GMT',
])('ignores the invalid Retry-After %j and waits for the back-off', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined();
  expect(decide(answered(429, header), creating)).toBe(500);
});

test('Retry-After overrides the back-off, even if it is shorter', () => {
  expect(decide(answered(503, '0'), repeatable, 1)).toBe(0);
  expect(decide(answered(429, '10'), repeatable, 0, 0)).toBe(10_000);
});

test("a Retry-After date counts from the response's Date, whatever the local clock says", () => {
  const retryAfter = 'Sat, 21 Nov 2026 12:00:30 GMT';
  const respondedAt = Date.parse('2026-11-21T12:00:20Z');
  expect(decide({ status: 429, retryAfter, respondedAt })).toBe(10_000);
  expect(decide({ status: 429, retryAfter, respondedAt: undefined })).toBe(30_000);
});

test.each([
  ['60', 60_000],
  ['61', undefined],
  ['9'.repeat(400), undefined],
  ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2026 12:01:01 GMT', undefined],
  ['Fri, 31 Dec 9999 23:59:59 GMT', undefined],
])('Retry-After %s waits %j ms, up to a minute and not beyond', (header, delay) => {
  expect(decide(answered(429, header))).toBe(delay);
});

const system = (code: string, syscall?: string): Error =>
  Object.assign(new Error(code), { code, ...(syscall && { syscall }) });
/** An error as Node's `fetch` throws it. */
const failed = (cause: unknown): Error => new TypeError('fetch failed', { cause });
const circular = new Error('a');
circular.cause = circular;
const knot = new AggregateError([]);
knot.errors.push(knot, knot);

test.each<[string, unknown, boolean]>([
  ['refused', failed(system('ECONNREFUSED', 'connect')), true],
  ['name not found', failed(system('ENOTFOUND', 'getaddrinfo')), true],
  ['name service down', failed(system('EAI_AGAIN', 'getaddrinfo')), true],
  ['connect timeout of fetch', failed(system('UND_ERR_CONNECT_TIMEOUT')), true],
  ['connect timeout of the system', failed(system('ETIMEDOUT', 'connect')), true],
  ['no route while connecting', failed(system('EHOSTUNREACH', 'connect')), true],
  [
    'every address refused or timed out',
    failed(new AggregateError([system('ECONNREFUSED', 'connect'), system('ETIMEDOUT', 'connect')])),
    true,
  ],
  ['no address at all', failed(new AggregateError([])), false],
  [
    'one of many addresses lost, with the code of the first',
    failed(Object.assign(new AggregateError([system('ECONNREFUSED'), system('ECONNRESET')]), { code: 'ECONNREFUSED' })),
    false,
  ],
  ['refused, without a chain', system('ECONNREFUSED'), true],
  ['refused, as reported by Bun', system('ConnectionRefused'), true],
  ['refused, deep in the chain', failed(failed(failed(system('ECONNREFUSED')))), true],
  ['reset', failed(system('ECONNRESET', 'read')), false],
  ['closed by the other side', failed(system('UND_ERR_SOCKET')), false],
  ['no answer in time', failed(system('ETIMEDOUT', 'read')), false],
  ['no route any more', failed(system('EHOSTUNREACH', 'read')), false],
  ['broken pipe', failed(system('EPIPE', 'write')), false],
  [
    'one of many requests lost',
    failed(new AggregateError([system('ECONNREFUSED'), system('ECONNRESET', 'read')])),
    false,
  ],
  ['an error without a code', failed(undefined), false],
  ['no error at all', 'ECONNREFUSED', false],
  ['an error that causes itself', circular, false],
  ['an error that contains itself', failed(knot), false],
])('detects that a request was certainly not sent: %s', (_, error, expected) => {
  expect(failedToConnect(error)).toBe(expected);
});
