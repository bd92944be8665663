import { expect, test } from 'vitest';
import { missingPostgres } from './start-postgres.ts';
import { connect, open, problems, tagJob } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const aTest = test.skipIf(missingPostgres);
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

aTest(`the status has the true counts after each kind of change, from counts of closed chunks${skipped}`, async () => {
  const { jobs, sandbox, database } = await open(tagJob({ keep: 'everything' }));
  const sql = await connect(database);
  const truth = async (): Promise<Record<string, number>> => {
    const none = { planned: 0, sent: 0, done: 0, refused: 0, unknown: 0 };
    const { rows } = await sql.query('SELECT state, count(*)::int AS count FROM carillon_jobs.rows GROUP BY state');
    return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
  };
  const check = async (): Promise<Record<string, number>> => {
    const { rows } = await jobs.status('tags');
    expect(rows).toEqual(await truth());
    return rows;
  };
  /** Number of chunks whose rows the status does not read. */
  const counted = async (): Promise<number> => (await sql.query('SELECT FROM carillon_jobs.counts')).rowCount ?? 0;

  await jobs.plan(tagJob(), { options: names(250) });
  expect(await counted()).toBe(3);
  expect(await check()).toMatchObject({ planned: 250 });
  sandbox.faults.add({ operation: 'createTag', status: 422, times: 2, body: { message: 'no' } });
  sandbox.faults.add({ operation: 'createTag', status: 401 });
  await jobs.work({ until: 'tags' });
  expect(await check()).toMatchObject({ refused: 2 });
  await jobs.resume('tags');
  await jobs.work({ until: 'tags' });
  expect(await counted()).toBe(3);
  expect(await check()).toMatchObject({ done: 248, refused: 2 });

  const [first] = await problems(jobs);
  await jobs.repair('tags', {
    checksum: async () => 'r',
    rows: () => [{ key: first?.key ?? '', line: first?.line ?? 0, values: { name: 'other' } }],
  });
  expect(await counted()).toBe(2);
  expect(await check()).toMatchObject({ planned: 1, refused: 1 });
  await jobs.work({ until: 'tags' });
  // A row whose outcome turns out later, as by the file of a worker.
  await sql.query(`UPDATE carillon_jobs.rows SET state = 'unknown' WHERE number = 120`);
  expect(await check()).toMatchObject({ unknown: 1, done: 248 });
  await jobs.cancel('tags').catch(() => undefined);
  await jobs.forget('tags');
  await check();
});

aTest(`a cancelled job counts the rows that it left, and those with some steps done${skipped}`, async () => {
  const { jobs, database } = await open(tagJob());
  await jobs.plan(tagJob(), { options: names(150) });
  await (await connect(database)).query(`UPDATE carillon_jobs.rows SET results = '{"tag": 1}' WHERE number < 20`);
  await jobs.cancel('tags');
  expect(await jobs.status('tags')).toMatchObject({ rows: { planned: 150 } });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ rows: { planned: 150 }, begun: 20 });
});

aTest(`a removed job leaves no counts${skipped}`, async () => {
  const { jobs, database } = await open(tagJob());
  await jobs.plan(tagJob(), { options: names(150) });
  await jobs.cancel('tags');
  await jobs.remove('tags');
  expect((await (await connect(database)).query('SELECT FROM carillon_jobs.counts')).rowCount).toBe(0);
});
