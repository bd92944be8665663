import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RowRejectedError } from '../../src/jobs/index.ts';
import { changeStore } from './store/stores.ts';
import { all, open, problems, tagJob } from './tag-job.ts';

/** Two steps, so that a rejected row has the result of the first one. */
const job = tagJob({
  steps: [
    { name: 'first', send: async ({ name }) => `personal-result ${name}`, repeatable: true },
    {
      name: 'second',
      async send({ name }) {
        throw new RowRejectedError(`personal-reason ${name}`);
      },
    },
  ],
});

async function has(folder: string, text: string): Promise<boolean> {
  const contents = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')));
  return contents.some((content) => content.includes(text));
}

test('forget removes what the folder still holds of the row, and of no other', async () => {
  const { jobs, folder } = await open(job);
  await jobs.plan(job, { options: ['one', 'two'] });
  await jobs.work({ until: 'tags' });
  await jobs.forget('tags', 'one');
  await jobs.close();
  expect([await has(folder, 'personal-reason one'), await has(folder, 'personal-result one')]).toEqual([false, false]);
  expect(await has(folder, 'personal-reason two')).toBe(true);
  const again = await open(job, { folder });
  await again.jobs.forget('tags');
  await again.jobs.close();
  expect(await has(folder, 'personal-')).toBe(false);
});

test(`a job forgets its results and reasons when its retention has passed, and not before`, async () => {
  const { jobs, folder } = await open(job);
  await jobs.plan(job, { name: 'tags', options: ['one'], retention: 30 });
  await jobs.plan(job, { name: 'other', options: ['one'] });
  for (const name of ['tags', 'other']) await jobs.work({ until: name });
  const age = async (days: number): Promise<void> => {
    changeStore(folder, `UPDATE jobs SET ended_at = ${Date.now() - days * 86_400_000}`);
    await jobs.work({ until: 'tags' });
  };
  await age(29);
  expect(await problems(jobs)).toMatchObject([
    { reason: 'personal-reason one', results: { first: 'personal-result one' } },
  ]);
  await age(31);
  await expect
    .poll(() => problems(jobs))
    .toMatchObject([{ reason: 'The reason was removed', values: null, results: {} }]);
  expect(await all(jobs.problems('other'))).toMatchObject([{ reason: 'personal-reason one' }]);
});

test(`a retention that is not above 0 is invalid`, async () => {
  const { jobs } = await open(job);
  await expect(jobs.plan(job, { options: ['a'], retention: 0 })).rejects.toThrow('retention must be above 0');
});
