import { expect, test, vi } from 'vitest';
import { connect, open, tagJob } from './tag-job.ts';

test(`an answer about rows that were sent is refused if the job goes back again meanwhile`, async () => {
  const job = tagJob();
  const { jobs, folder } = await open(job);
  await jobs.plan(job, { options: ['one'] });
  const [other, observer] = [await connect(database), await connect(database)];
  await other.query(`SELECT carillon_jobs.go_back(id, 'A test') FROM carillon_jobs.jobs`);
  await other.query('BEGIN');
  await other.query(`UPDATE carillon_jobs.jobs SET went_back_at = went_back_at + interval '1 second'`);
  const refused = expect(jobs.resume('tags', { sent: 'none' })).rejects.toThrow('The job tags has changed meanwhile');
  await vi.waitFor(async () => {
    const { rows } = await observer.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  }, 30_000);
  await other.query('COMMIT');
  await refused;
  expect(await jobs.status('tags')).toMatchObject({ state: 'paused' });
  await jobs.resume('tags', { sent: 'none' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'running' });
});
