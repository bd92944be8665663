import { expect, test } from 'vitest';
import { connect, created, open, tagJob } from './tag-job.ts';

test(`a job sends no row before its start, also if its messages were lost, and then all of them`, async () => {
  const { jobs, sandbox, folder } = await open(tagJob());
  const sql = await connect(database);
  const startAt = new Date(Date.now() + 3_600_000);
  expect(await jobs.plan(tagJob(), { options: ['a', 'b'], startAt })).toMatchObject({ state: 'running', startAt });
  const readAll = async (): Promise<number> =>
    (await sql.query(`SELECT FROM carillon_jobs_queue.job WHERE start_after = $1`, [startAt])).rowCount ?? 0;
  expect(await readAll()).toBe(1);
  await sql.query(`DELETE FROM carillon_jobs_queue.job WHERE start_after = $1`, [startAt]);
  await jobs.pause('tags');
  // Adds the messages that are missing.
  await jobs.resume('tags');
  expect(await readAll()).toBe(1);
  expect(created(sandbox)).toBe(0);
  await sql.query(`UPDATE carillon_jobs.jobs SET start_at = now() - interval '1 second'`);
  await sql.query(`UPDATE carillon_jobs_queue.job SET start_after = now() WHERE start_after = $1`, [startAt]);
  await jobs.work({ until: 'tags' });
  expect(created(sandbox)).toBe(2);
  expect((await jobs.status('tags')).startAt).toBeUndefined();
});

test(`refuses a start that is no time`, async () => {
  const { jobs } = await open(tagJob());
  await expect(jobs.plan(tagJob(), { options: ['a'], startAt: new Date('tomorrow') })).rejects.toThrow('is not a time');
});
