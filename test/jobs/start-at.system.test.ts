import { expect, test } from 'vitest';
import { changeStore } from './store/stores.ts';
import { created, open, tagJob } from './tag-job.ts';

test('a job sends no row before its start, and then all of them', async () => {
  const { jobs, sandbox, folder } = await open(tagJob());
  const startAt = new Date(Date.now() + 3_600_000);
  expect(await jobs.plan(tagJob(), { options: ['a', 'b'], startAt })).toMatchObject({ state: 'running', startAt });
  const end = new AbortController();
  const work = jobs.work({ signal: end.signal });
  await expect.poll(async () => (await jobs.workers()).length).toBe(1);
  await jobs.pause('tags');
  await jobs.resume('tags');
  end.abort();
  await work;
  expect(created(sandbox)).toBe(0);
  changeStore(folder, 'UPDATE jobs SET start_at = 1000');
  await jobs.work({ until: 'tags' });
  expect(created(sandbox)).toBe(2);
  expect((await jobs.status('tags')).startAt).toBeUndefined();
});

test('a start that is no time is invalid', async () => {
  const { jobs } = await open(tagJob());
  await expect(jobs.plan(tagJob(), { options: ['a'], startAt: new Date('tomorrow') })).rejects.toThrow(
    'must be a valid date',
  );
});
