import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { describeProgress } from '../../src/jobs/command/progress.ts';
import { Failures } from '../../src/jobs/work/failures.ts';
import { describeOutage, serviceOf } from '../../src/jobs/work/outage.ts';

const second = 1_000;

test('counts failures at a row only if other requests succeeded in between', () => {
  const failures = new Failures();
  expect(['one', 'one', 'two'].map((row) => failures.failAt(row))).toEqual([1, 1, 1]);
  failures.responded();
  expect(['one', 'one', 'two'].map((row) => failures.failAt(row))).toEqual([2, 2, 2]);
});

const failing = (fetch: () => Promise<Response>) =>
  createClient({ baseUrl: 'http://127.0.0.1:1', auth: { apiKey: 'any' }, fetch, maxRetries: 0 })
    .crm.tags.list()
    .then(() => 'no failure', describeOutage);
const broken = (code: string) =>
  Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('broken'), { code }) }));

test('describes a failure of the service, with its status or connection error code', async () => {
  expect(await failing(async () => new Response('', { status: 503 }))).toBe('responds with status 503');
  expect(await failing(() => broken('ECONNREFUSED'))).toBe('cannot be reached (ECONNREFUSED)');
  expect(await failing(() => broken('ECONNRESET'))).toBe('closes the connection (ECONNRESET)');
});

test('shows an address without user, password and query', () => {
  expect(serviceOf('https://user:s3cret@Example.com/base/?key=s3cret')).toBe('https://example.com/base');
});

const status = {
  name: 'fair',
  definition: 'import-contacts',
  version: 1,
  options: {},
  state: 'running' as const,
  priority: 0,
  deadline: 60_000,
  workers: 1,
  total: 10,
  rows: { planned: 10, sent: 0, done: 0, rejected: 0, invalid: 0, unknown: 0 },
  plannedAt: new Date(0),
};

test('progress shows that the service fails, and since when', () => {
  const reason = 'the service at x cannot be reached since 1970-01-01T00:00:00.000Z';
  expect(describeProgress({ ...status, reason })).toBe(
    'fair: 0 of 10 rows (0%), 1 worker, the service at x cannot be reached since 1970-01-01T00:00:00.000Z',
  );
});

test('progress shows the number of rows that wait for a lookup, and the time left', () => {
  const lookups = { rows: 7, until: new Date(60 * second) };
  expect(describeProgress({ ...status, lookups }, undefined, 12 * second)).toBe(
    'fair: 0 of 10 rows (0%), 1 worker, 7 rows wait for a lookup, at most 48 s',
  );
  expect(describeProgress({ ...status, lookups: { ...lookups, rows: 1 } }, undefined, 70 * second)).toBe(
    'fair: 0 of 10 rows (0%), 1 worker, 1 row waits for a lookup',
  );
});
