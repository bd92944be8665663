import { expect, test } from 'vitest';
import type { RetryChoice } from '../../src/jobs/types.ts';
import { changeStore, readStore } from './store/stores.ts';
import { open, tagJob } from './tag-job.ts';

const all: RetryChoice = { rows: 'all' };

/**
 * A finished job: the service rejected rows 1 and 2, row 3 is invalid, row 4 is unknown, row 6 was rejected and its values were removed, and
 * the others are done.
 */
async function openFinishedJob() {
  const { jobs, folder } = await open(tagJob());
  await jobs.plan(tagJob(), { options: Array.from({ length: 10 }, (_, index) => `k${index}`) });
  const sql = (text: string): void => changeStore(folder, text);
  sql(`UPDATE rows SET line = number, key = number, state = 'done', attempt = 1, step = 'send', "values" = '{}';
    UPDATE rows SET state = 'rejected', code = 'no-such-' || number WHERE number IN (1, 2);
    UPDATE rows SET state = 'invalid', step = NULL WHERE number = 3;
    UPDATE rows SET state = 'unknown' WHERE number = 4;
    UPDATE rows SET state = 'rejected', "values" = NULL WHERE number = 6;
    UPDATE jobs SET state = 'finished', ended_at = 1000`);
  const planned = (): unknown[] =>
    readStore(folder, `SELECT number FROM rows WHERE state = 'planned' ORDER BY number`).map(({ number }) => number);
  return { sql, planned, folder, retry: (choice: RetryChoice) => jobs.retry('tags', choice) };
}

test.each<[what: string, choice: RetryChoice, planned: number[]]>([
  ['all that the service rejected', all, [1, 2]],
  ['those with a key', { rows: ['2', '4', '5'] }, [2]],
  [
    'those on some lines',
    {
      rows: [
        [2, 2],
        [4, 9],
      ],
    },
    [2],
  ],
  ['those with a code', { rows: 'all', code: 'no-such-1' }, [1]],
])(`plans rejected rows again, and no others: %s`, async (_, choice, numbers) => {
  const { planned, retry, folder } = await openFinishedJob();
  expect(await retry(choice)).toBe(numbers.length);
  expect(planned()).toEqual(numbers);
  const again = readStore(folder, `SELECT number FROM rows WHERE state = 'planned' AND attempt = 2`);
  expect(again).toHaveLength(numbers.length);
});

test.each<[choice: RetryChoice, message: string]>([
  [{ rows: ['3'] }, 'correct the rows, then apply them with --repair'],
  [{ rows: ['6'] }, 'or their values were removed'],
  [{ rows: ['4'] }, 'apply the outcomes with --repair'],
  [{ rows: ['5'] }, 'Only rows that the service rejected can be sent again.'],
  [{ rows: [[2, 1]] }, '2-1 is not a valid range of lines.'],
])(`says why no row is planned again: %j`, async (choice, message) => {
  const { planned, retry } = await openFinishedJob();
  await expect(retry(choice)).rejects.toThrow(message);
  expect(planned()).toEqual([]);
});

test.each([
  ['a finished job runs again', `state = 'finished'`, 'running'],
  ['a finished job whose data went back is paused', `state = 'finished', went_back_at = 1`, 'paused'],
  ['a paused job stays paused', `state = 'paused', ended_at = NULL`, 'paused'],
  ['a running job goes on', `state = 'running', ended_at = NULL`, 'running'],
])(`with rows that are planned again, %s`, async (_, change, state) => {
  const { sql, retry, folder } = await openFinishedJob();
  sql(`UPDATE jobs SET ${change}`);
  await retry(all);
  expect(readStore(folder, 'SELECT state, ended_at FROM jobs')).toEqual([{ state, ended_at: null }]);
});

test(`a cancelled job plans no row again`, async () => {
  const { sql, planned, retry } = await openFinishedJob();
  sql(`UPDATE jobs SET state = 'cancelled'`);
  await expect(retry(all)).rejects.toThrow('The job was cancelled');
  expect(planned()).toEqual([]);
});
