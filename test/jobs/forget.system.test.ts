import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RowRefusedError } from '../../src/jobs/index.ts';
import { attemptsFolder } from './attempts-folder.ts';
import { all, connect, open, problems, tagJob } from './tag-job.ts';

/** Two steps, so that a refused row has the result of the first one. */
const job = tagJob({
  steps: [
    { name: 'first', send: async ({ name }) => `personal-result ${name}`, repeatable: true },
    {
      name: 'second',
      async send({ name }) {
        throw new RowRefusedError(`personal-reason ${name}`);
      },
    },
  ],
});

async function has(folder: string, text: string): Promise<boolean> {
  const contents = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')));
  return contents.some((content) => content.includes(text));
}

test(`forget removes what the file of a worker still holds of the row, and of no other`, async () => {
  const folder = await attemptsFolder();
  const { jobs } = await open(job, { folder });
  await jobs.plan(job, { options: ['one', 'two'] });
  await jobs.work({ until: 'tags' });
  expect(await has(folder, 'personal-reason one')).toBe(true);
  await jobs.forget('tags', 'one');
  // The next start.
  await jobs.work({ until: 'tags' });
  expect([await has(folder, 'personal-reason one'), await has(folder, 'personal-result one')]).toEqual([false, false]);
  expect(await has(folder, 'personal-reason two')).toBe(true);
  await jobs.forget('tags');
  await jobs.work({ until: 'tags' });
  expect(await has(folder, 'personal-')).toBe(false);
});

test(`the proof of what was sent stays after forget: a database that goes back is noticed`, async () => {
  const folder = await attemptsFolder();
  const { jobs, folder } = await open(job, { folder });
  await jobs.plan(job, { options: ['one'] });
  await jobs.work({ until: 'tags' });
  await jobs.forget('tags');
  await jobs.work({ until: 'tags' });
  await (await connect(database)).query(
    `UPDATE carillon_jobs.rows SET state = 'planned', attempt = 0, sender = NULL; INSERT INTO carillon_jobs.chunks SELECT id, 0 FROM carillon_jobs.jobs;
    UPDATE carillon_jobs.jobs SET state = 'running', ended_at = NULL`,
  );
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'paused', reason: expect.stringContaining('went back') });
});

test(`a job forgets its results and reasons when its retention has passed, and not before`, async () => {
  const folder = await attemptsFolder();
  const { jobs, folder } = await open(job, { folder });
  await jobs.plan(job, { name: 'tags', options: ['one'], retention: 30 });
  await jobs.plan(job, { name: 'other', options: ['one'] });
  for (const name of ['tags', 'other']) await jobs.work({ until: name });
  const sql = await connect(database);
  const age = async (days: number): Promise<void> => {
    await sql.query(`UPDATE carillon_jobs.jobs SET ended_at = now() - $1 * interval '1 day'`, [days]);
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

test(`refuses a retention that is not above 0`, async () => {
  const { jobs } = await open(job);
  await expect(jobs.plan(job, { options: ['a'], retention: 0 })).rejects.toThrow('retention must be above 0');
});
