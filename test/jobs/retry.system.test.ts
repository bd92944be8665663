import { expect, test } from 'vitest';
import { retryRows } from '../../src/jobs/journal/retry-rows.ts';
import type { RetryChoice } from '../../src/jobs/types.ts';
import { openPlannedJob } from './planned-job.ts';

const all: RetryChoice = { rows: 'all' };

/**
 * A finished job: the service refused rows 1 and 2, the source refused row 3, row 4 is unknown, row 6 was refused and its values were
 * removed, and the others are done.
 */
async function openFinishedJob() {
  const { db } = await openPlannedJob();
  const sql = (text: string) => db.pool.query(text.replaceAll('carillon.', `${db.schema}.`));
  await sql(`UPDATE carillon.rows SET state = 'done', attempt = 1, step = 'send', "values" = '{}'`);
  await sql(`UPDATE carillon.rows SET state = 'refused', code = 'no-such-' || number WHERE number < 3`);
  await sql(`UPDATE carillon.rows SET state = 'refused', step = NULL WHERE number = 3`);
  await sql(`UPDATE carillon.rows SET state = 'unknown' WHERE number = 4`);
  await sql(`UPDATE carillon.rows SET state = 'refused', "values" = NULL WHERE number = 6`);
  await sql(`UPDATE carillon.jobs SET state = 'finished', ended_at = now()`);
  const planned = async (): Promise<number[]> =>
    (await sql(`SELECT number FROM carillon.rows WHERE state = 'planned' ORDER BY number`)).rows.map(
      ({ number }) => number,
    );
  return { sql, planned, retry: (choice: RetryChoice) => retryRows(db, 'a', choice) };
}

test.each<[what: string, choice: RetryChoice, planned: number[]]>([
  ['all that the service refused', all, [1, 2]],
  ['unknown ones, if a person says that they were not done', { rows: 'all', isNotDone: true }, [1, 2, 4]],
  ['those with a key', { rows: ['2', '4', '5'] }, [2]],
  [
    'those on some lines',
    {
      rows: [
        [2, 2],
        [4, 9],
      ],
      isNotDone: true,
    },
    [2, 4],
  ],
  ['those with a code', { rows: 'all', code: 'no-such-1' }, [1]],
])(`plans refused rows again, and no others: %s`, async (_, choice, numbers) => {
  const { sql, planned, retry } = await openFinishedJob();
  expect(await retry(choice)).toMatchObject({ chunks: [0], rows: numbers.length });
  expect(await planned()).toEqual(numbers);
  expect((await sql('SELECT job, number FROM carillon.chunks')).rows).toHaveLength(1);
  expect((await sql(`SELECT FROM carillon.rows WHERE state = 'planned' AND attempt = 2`)).rowCount).toBe(
    numbers.length,
  );
});

test.each<[choice: RetryChoice, message: string]>([
  [{ rows: ['3'] }, 'correct them, and feed them back with --repair'],
  [{ rows: ['6'] }, 'or their values were removed'],
  [{ rows: ['4'] }, 'pass --not-done if they were not done'],
  [{ rows: ['5'] }, 'Only rows that the service refused, and unknown ones, can be.'],
  [{ rows: [[2, 1]] }, '2-1 are not lines.'],
])(`says why no row is planned again: %j`, async (choice, message) => {
  const { planned, retry } = await openFinishedJob();
  await expect(retry(choice)).rejects.toThrow(message);
  expect(await planned()).toEqual([]);
});

test.each([
  ['a finished job runs again', `state = 'finished'`, 'running'],
  ['a finished job whose data went back is paused', `state = 'finished', went_back_at = now()`, 'paused'],
  ['a paused job stays paused', `state = 'paused', ended_at = NULL`, 'paused'],
  ['a running job goes on', `state = 'running', ended_at = NULL`, 'running'],
])(`with rows that are planned again, %s`, async (_, change, state) => {
  const { sql, retry } = await openFinishedJob();
  await sql(`UPDATE carillon.jobs SET ${change}`);
  await retry(all);
  expect((await sql('SELECT state, ended_at FROM carillon.jobs')).rows).toEqual([{ state, ended_at: null }]);
});

test(`a cancelled job plans no row again`, async () => {
  const { sql, planned, retry } = await openFinishedJob();
  await sql(`UPDATE carillon.jobs SET state = 'cancelled'`);
  await expect(retry(all)).rejects.toThrow('The job was cancelled');
  expect(await planned()).toEqual([]);
});
