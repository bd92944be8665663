import { expect, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { describeProgress } from '../../src/jobs/command/progress.ts';
import { Gate } from '../../src/jobs/work/gate.ts';
import { addressOf, describeFailure } from '../../src/jobs/work/outage.ts';

const second = 1_000;

test('an outage is reported at the third failed try, at each later one, and once when it is over', () => {
  vi.useFakeTimers({ now: 0 });
  const report = vi.fn();
  const gate = new Gate(report);
  for (const wait of [0.5, 1, 2, 4]) {
    gate.close('fails');
    // Rows that fail at the same time count once.
    gate.close('fails');
    expect(gate.wait).toBe(wait * second);
    vi.advanceTimersByTime(gate.wait);
  }
  const since = new Date(0);
  expect(report.mock.calls).toEqual([
    [{ reason: 'fails', since, nextTry: new Date(3.5 * second) }],
    [{ reason: 'fails', since, nextTry: new Date(7.5 * second) }],
  ]);
  gate.open();
  gate.open();
  expect(report.mock.calls.slice(2)).toEqual([[undefined]]);
  vi.useRealTimers();
});

test('a failure now and then is no outage', () => {
  const report = vi.fn();
  const gate = new Gate(report);
  gate.open();
  for (let count = 0; count < 20; count += 1) {
    gate.close('fails');
    gate.open();
  }
  // The first report removes what a worker that was killed may have left.
  expect(report.mock.calls).toEqual([[undefined]]);
});

test('failures at a row count only if other requests had an answer in between', () => {
  const gate = new Gate();
  expect([gate.failAt('one'), gate.failAt('one'), gate.failAt('two')]).toEqual([1, 1, 1]);
  gate.open();
  expect([gate.failAt('one'), gate.failAt('one'), gate.failAt('two')]).toEqual([2, 2, 2]);
});

const failing = (fetch: () => Promise<Response>) =>
  createClient({ baseUrl: 'http://127.0.0.1:1', auth: { apiKey: 'any' }, fetch, maxRetries: 0 })
    .crm.tags.list()
    .then(() => 'no failure', describeFailure);
const broken = (code: string) =>
  Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('broken'), { code }) }));

test('a failure of the service is described in words, with the code of the connection or the status', async () => {
  expect(await failing(async () => new Response('', { status: 503 }))).toBe('answers with status 503');
  expect(await failing(() => broken('ECONNREFUSED'))).toBe('cannot be reached (ECONNREFUSED)');
  expect(await failing(() => broken('ECONNRESET'))).toBe('closes the connection (ECONNRESET)');
});

test('an address is written without user, password and query', () => {
  expect(addressOf('https://user:s3cret@Example.com/base/?key=s3cret')).toBe('https://example.com/base');
});

const status = {
  name: 'fair',
  definition: 'import-contacts',
  version: 1,
  options: {},
  state: 'running' as const,
  deadline: 60_000,
  workers: 1,
  total: 10,
  rows: { planned: 10, sent: 0, done: 0, refused: 0, unknown: 0 },
  plannedAt: new Date(0),
};

test('progress says that the service fails, since when, and when it is tried again', () => {
  const outage = { reason: 'the service at x cannot be reached', since: new Date(0), nextTry: new Date(9 * second) };
  expect(describeProgress({ ...status, outage }, undefined, 5 * second)).toBe(
    'fair: 0 of 10 rows (0 %), 1 worker, the service at x cannot be reached since 1970-01-01T00:00:00.000Z, next try in 4 s',
  );
  expect(describeProgress({ ...status, outage }, undefined, 10 * second)).not.toContain('next try');
});

test('progress says how many rows wait for a lookup, and how long', () => {
  const lookups = { rows: 7, until: new Date(60 * second) };
  expect(describeProgress({ ...status, lookups }, undefined, 12 * second)).toBe(
    'fair: 0 of 10 rows (0 %), 1 worker, 7 rows wait for a lookup, at most 48 s',
  );
  expect(describeProgress({ ...status, lookups: { ...lookups, rows: 1 } }, undefined, 70 * second)).toBe(
    'fair: 0 of 10 rows (0 %), 1 worker, 1 row waits for a lookup',
  );
});
