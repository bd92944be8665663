import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../src/jobs/journal/database.ts';
import { settleRows } from '../../src/jobs/journal/exchange.ts';
import { closeChunk, takeOver } from '../../src/jobs/journal/rows.ts';
import { Session } from '../../src/jobs/journal/session.ts';
import { created, open, problems, tagJob } from './tag-job.ts';

const patience = { timeout: 20_000, interval: 20 };
const done = { state: 'finished', rows: { planned: 0, sent: 0, done: 1, rejected: 0, unknown: 0 } };
const refused = { state: 'finished', rows: { planned: 0, sent: 0, done: 0, rejected: 1, unknown: 0 } };

/** Ends the session of the row's sender, then makes the row unknown, as another worker without a lookup does. */
async function takeAway(database: string): Promise<void> {
  const db = await openDatabase({ database });
  onTestFinished(() => db.pool.end());
  const session = await Session.open(db);
  onTestFinished(() => session.close());
  const { rows } = await db.pool.query(
    `SELECT id::text AS job, pg_terminate_backend(pid) FROM carillon_jobs.jobs, pg_locks
     WHERE locktype = 'advisory' AND objsubid = 2 AND objid <> $1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [session.worker],
  );
  const { job } = rows[0];
  const row = await vi.waitFor(async () => {
    const given = { job, rows: [{ number: 0, kind: undefined }], worker: session.worker };
    const [taken] = await session.run((client) => takeOver(client, db.schema, given));
    if (!taken) throw new Error('the session lives');
    return taken;
  }, patience);
  const outcome = {
    ...row,
    seed: '',
    worker: session.worker,
    state: 'unknown',
    step: 'tag',
    reason: 'No reply came',
  } as const;
  expect(await settleRows(db.pool, db.schema, [outcome])).toEqual({ written: [outcome], reopened: [] });
  await closeChunk(db, job, 0);
}

/** A worker gets a reply and loses its session, and writes its outcome after another worker has made the row unknown. */
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
  const { jobs, sandbox, folder } = await open(job);
  if (fault) sandbox.faults.add({ operation: 'createTag', ...fault });
  await jobs.plan(job, { options: ['a'] });
  const work = jobs.work({ until: 'tags' });
  await vi.waitFor(() => expect(replied).toHaveBeenCalledOnce(), patience);
  await takeAway(database);
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { unknown: 1 } });
  comeBack();
  await work;
  // The worker may have seen the job end before it wrote its outcome.
  await jobs.work({ until: 'tags' });
  return { jobs, sandbox };
}

test(`a row that another worker made unknown is done once the worker with the reply is back`, async () => {
  const { jobs, sandbox } = await writeLate();
  expect(await jobs.status('tags')).toMatchObject(done);
  expect(created(sandbox)).toBe(1);
});

test(`a late refusal gives the row the service's reason`, async () => {
  const { jobs } = await writeLate({ status: 422, body: { message: 'Taken' } });
  expect(await jobs.status('tags')).toMatchObject(refused);
  expect(await problems(jobs)).toMatchObject([{ state: 'rejected', reason: 'Taken' }]);
});

test(`a late 429 sends the row again, and only once`, async () => {
  const { jobs, sandbox } = await writeLate({ status: 429, body: {}, headers: { 'Retry-After': '0' } });
  expect(await jobs.status('tags')).toMatchObject(done);
  expect(sandbox.requests.filter(({ operation }) => operation === 'createTag').map(({ status }) => status)).toEqual([
    429, 200,
  ]);
});
