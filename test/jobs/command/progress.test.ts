import { expect, test } from 'vitest';
import { describeRepairs } from '../../../src/jobs/command/apply-repairs.ts';
import { describeProgress, Progress } from '../../../src/jobs/command/progress.ts';
import type { JobStatus } from '../../../src/jobs/types.ts';
import { describeSeconds } from '../../../src/shared/rate.ts';

function statusWith(rows: Partial<JobStatus['rows']>, more: Partial<JobStatus> = {}): JobStatus {
  return {
    name: 'fair',
    definition: 'import-contacts',
    version: 1,
    options: {},
    state: 'running',
    priority: 0,
    deadline: 60_000,
    workers: 2,
    total: 10_000,
    rows: { planned: 0, sent: 0, done: 0, rejected: 0, invalid: 0, unknown: 0, ...rows },
    plannedAt: new Date(0),
    ...more,
  };
}

function show(isTTY: boolean, looks: [at: number, done: number][]): string {
  let text = '';
  const progress = new Progress({ isTTY, columns: 100, write: (part) => (text += part) });
  for (const [at, done] of looks) progress.show(statusWith({ done }), at);
  progress.end();
  return text;
}

test('shows rate and time left, on one line of a terminal', () => {
  const text = show(true, [
    [0, 0],
    [1_000, 100],
    [2_000, 300],
  ]);
  expect(text.split('\r\x1b[K')).toEqual([
    '',
    'fair: 0 of 10,000 rows (0%), 2 workers',
    'fair: 100 of 10,000 rows (1%), 100 rows/s, 1 min 39 s left, 2 workers',
    'fair: 300 of 10,000 rows (3%), 150 rows/s, 1 min 5 s left, 2 workers',
    '',
  ]);
});

test('without a terminal, prints a plain line every 10 seconds', () => {
  const text = show(
    false,
    Array.from({ length: 21 }, (_, second) => [second * 1_000, second * 100]),
  );
  expect(text).toBe(
    [
      'fair: 0 of 10,000 rows (0%), 2 workers\n',
      'fair: 1,000 of 10,000 rows (10%), 100 rows/s, 1 min 30 s left, 2 workers\n',
      'fair: 2,000 of 10,000 rows (20%), 100 rows/s, 1 min 20 s left, 2 workers\n',
    ].join(''),
  );
});

test('bases the rate on the last 30 seconds', () => {
  const text = show(true, [
    [0, 0],
    [60_000, 6_000],
    [62_000, 6_010],
  ]);
  expect(text).toContain('fair: 6,010 of 10,000 rows (60%), 5 rows/s, 13 min 18 s left');
});

test('shows no time left if all other rows wait for a lookup', () => {
  const lookups = { rows: 3, until: new Date(60_000) };
  expect(describeProgress(statusWith({ done: 9_997, sent: 3 }, { lookups }), 5, 0)).toBe(
    'fair: 9,997 of 10,000 rows (99%), 5 rows/s, 2 workers, 3 rows wait for a lookup, at most 1 min 0 s',
  );
  expect(describeProgress(statusWith({ done: 9_996, sent: 3 }, { lookups }), 5, 0)).toContain('1 s left');
});

test('names problems, a wait, and a state without work', () => {
  const waitingUntil = new Date('2026-11-22T10:00:00Z');
  expect(describeProgress(statusWith({ done: 5, rejected: 2, unknown: 1 }, { waitingUntil, workers: 1 }))).toBe(
    'fair: 8 of 10,000 rows (0%), 2 rejected, 1 unknown, 1 worker, waiting until 2026-11-22T10:00:00.000Z',
  );
  expect(describeProgress(statusWith({ done: 5 }, { rate: 2.5, concurrency: 4 }))).toBe(
    'fair: 5 of 10,000 rows (0%), 2 workers, at most 2.5 requests/s, at most 4 rows in flight',
  );
  expect(describeProgress(statusWith({ done: 5 }, { state: 'paused' }))).toBe('fair: 5 of 10,000 rows (0%), paused');
});

test.each([
  [0.2, '1 s'],
  [61, '1 min 1 s'],
  [7_260, '2 h 1 min'],
])('writes %d seconds left as %s', (seconds, text) => expect(describeSeconds(seconds)).toBe(text));

test('reports feedback: rows to send again, done and still unknown', () => {
  const none = { corrected: 0, done: 0, 'not done': 0, undecided: 0 };
  expect(describeRepairs('r.csv', { ...none, 'not done': 1, done: 11 })).toBe('r.csv: 1 is sent again, 11 are done.');
  expect(describeRepairs('r.csv', { ...none, corrected: 2, undecided: 1 })).toBe(
    'r.csv: 2 are sent again with the values from the file, 1 is still unknown: the column outcome is empty.',
  );
  expect(describeRepairs('r.csv', none)).toBe('r.csv: the file contains no rows.');
});
