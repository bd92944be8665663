import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { missingPostgres } from './start-postgres.ts';
import { created, open, problems, tagJob, withoutLookup } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const done = { state: 'finished', rows: { planned: 0, sent: 0, done: 1, refused: 0, unknown: 0 } };
const refused = { state: 'finished', rows: { planned: 0, sent: 0, done: 0, refused: 1, unknown: 0 } };

/**
 * A worker gets a reply, loses its session, and comes back after the deadline, when another worker has made the row unknown. Then it
 * writes its outcome.
 */
async function writeLate(fault?: { status: number; body: object; headers?: Record<string, string> }) {
  let comeBack = (): void => undefined;
  const isBack = new Promise<void>((resolve) => {
    comeBack = resolve;
  });
  const replied = vi.fn();
  const job = tagJob({
    steps: [
      {
        name: 'tag',
        async send({ name }, { api }) {
          const reply = api.crm.tags.create({ name });
          await reply.then(replied, replied);
          await isBack;
          return (await reply).id;
        },
      },
    ],
  });
  const { jobs, sandbox, database } = await open(job);
  if (fault) sandbox.faults.add({ operation: 'createTag', ...fault });
  const other = await open(tagJob(withoutLookup), { database });
  await jobs.plan(job, { options: ['a'] });
  const work = jobs.work({ until: 'tags' });
  await vi.waitFor(() => expect(replied).toHaveBeenCalledOnce());
  const sql = new pg.Client(database);
  await sql.connect();
  onTestFinished(() => sql.end());
  const locks = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2`;
  await sql.query(`SELECT pg_terminate_backend(pid) FROM (${locks}) AS workers`);

  await other.jobs.work({ until: 'tags' });
  expect(await problems(other.jobs)).toMatchObject([{ key: 'a', state: 'unknown' }]);
  expect(created(other.sandbox)).toBe(0);
  comeBack();
  await work;
  return { jobs, sandbox };
}

test.skipIf(missingPostgres)(
  `a row that another worker made unknown is done when the worker that has the reply is back${skipped}`,
  async () => {
    const { jobs, sandbox } = await writeLate();
    expect(await jobs.status('tags')).toMatchObject(done);
    expect(created(sandbox)).toBe(1);
  },
);

test.skipIf(missingPostgres)(`so is a refusal: the row has the reason of the service${skipped}`, async () => {
  const { jobs } = await writeLate({ status: 422, body: { message: 'Taken' } });
  expect(await jobs.status('tags')).toMatchObject(refused);
  expect(await problems(jobs)).toMatchObject([{ state: 'refused', reason: 'Taken' }]);
});

test.skipIf(missingPostgres)(`a row of which nothing was done is sent after all, and once${skipped}`, async () => {
  const { jobs, sandbox } = await writeLate({ status: 429, body: {}, headers: { 'Retry-After': '0' } });
  expect(await jobs.status('tags')).toMatchObject(done);
  expect(sandbox.requests.filter(({ operation }) => operation === 'createTag').map(({ status }) => status)).toEqual([
    429, 200,
  ]);
});
