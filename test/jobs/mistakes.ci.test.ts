import { expect, onTestFinished, test, vi } from 'vitest';
import { RowRefusedError } from '../../src/jobs/index.ts';
import { openDatabase } from '../../src/jobs/journal/database.ts';
import { exchangeRows } from '../../src/jobs/journal/exchange.ts';
import type { Mark } from '../../src/jobs/journal/rows.ts';
import { Session } from '../../src/jobs/journal/session.ts';
import { connect, created, open, problems, tagJob } from './tag-job.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);
const [step] = tagJob().steps;
if (!step) throw new Error('no step');

/** A job whose program runs some code before the request. */
const jobThat = (act: (name: string) => void) =>
  tagJob({
    steps: [
      {
        ...step,
        async send(values, context) {
          act(values.name);
          return step.send(values, context);
        },
      },
    ],
  });

test(`a bug in the program refuses no row, and pauses the job after five with the stack`, async () => {
  let isFixed = false;
  const job = jobThat(() => {
    if (!isFixed) throw new TypeError('id of undefined');
  });
  const { jobs, sandbox } = await open(job);
  await jobs.plan(job, { options: names(50) });
  await jobs.work({ until: 'tags', concurrency: 1 });
  const status = await jobs.status('tags');
  expect(status).toMatchObject({ state: 'paused', rows: { planned: 50, rejected: 0 } });
  expect(status.reason).toMatch(/failed 5 times in a row .*TypeError: id of undefined\n +at .*mistakes\.ci\.test\.ts/s);
  isFixed = true;
  await jobs.resume('tags');
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 50 } });
  expect(created(sandbox)).toBe(50);
});

test(`a row that the program refuses has its reason, and the others are sent`, async () => {
  const job = jobThat((name) => {
    if (name === 'tag 1') throw new RowRefusedError('this name is reserved');
  });
  const { jobs } = await open(job);
  await jobs.plan(job, { options: names(3) });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 2, rejected: 1 } });
  expect(await problems(jobs)).toMatchObject([{ key: 'tag 1', state: 'rejected', reason: 'this name is reserved' }]);
});

test(`looks up sent rows while the job is paused`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  sandbox.faults.add({ operation: 'createTag', drop: 'after', times: 3 });
  await jobs.plan(tagJob(), { options: names(3) });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const work = jobs.work({ signal: end.signal });
  await vi.waitFor(() => expect(created(sandbox)).toBe(3), 30_000);
  await jobs.pause('tags');
  await vi.waitFor(async () => expect((await jobs.status('tags')).rows).toMatchObject({ done: 3 }), 30_000);
  end.abort();
  await work;
  expect((await jobs.status('tags')).state).toBe('paused');
});

test(`resume finishes a job whose last rows ended while it was paused`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  sandbox.faults.add({ operation: 'createTag', delay: 100, times: 'always' });
  await jobs.plan(tagJob(), { options: names(3) });
  const work = jobs.work({ until: 'tags' });
  await vi.waitFor(() => expect(created(sandbox)).toBe(3), 30_000);
  await jobs.pause('tags');
  await work;
  expect(await jobs.status('tags')).toMatchObject({ state: 'paused', rows: { done: 3 } });
  expect(await jobs.resume('tags')).toMatchObject({ state: 'finished' });
});

test(`while the service is down, a worker takes only a chunk per try`, async () => {
  const { jobs, sandbox, folder } = await open(tagJob());
  sandbox.faults.add({ operation: 'createTag', status: 503, times: 'always' });
  await jobs.plan(tagJob(), { options: names(3_000) });
  const end = new AbortController();
  const work = jobs.work({ signal: end.signal });
  await vi.waitFor(async () => expect((await jobs.status('tags')).outage).toBeDefined(), 30_000);
  const sql = await connect(database);
  const taken = async (): Promise<number> =>
    (await sql.query('SELECT sum(retry_count)::int AS count FROM carillon_jobs_queue.job')).rows[0].count;
  const before = await taken();
  const requests = created(sandbox);
  await vi.waitFor(() => expect(created(sandbox)).toBeGreaterThan(requests), 20_000);
  expect((await taken()) - before).toBeLessThanOrEqual(5);
  end.abort();
  await work;
});

/** Opens sessions of two workers, and returns the marks of a planned job with at most one row in flight. */
async function openTwo() {
  const { jobs, folder } = await open(tagJob());
  await jobs.plan(tagJob(), { options: names(40), concurrency: 1 });
  const db = await openDatabase({ database });
  onTestFinished(() => db.close());
  const { rows } = await db.pool.query(`SELECT job::text, number, attempt FROM ${db.schema}.rows ORDER BY number`);
  const sessions = await Promise.all([Session.open(db), Session.open(db)]);
  const mark = async (index: number, row: Mark): Promise<boolean> => {
    const session = sessions[index];
    if (!session) throw new Error('no session');
    const given = { worker: session.worker, marks: [row], outcomes: [], now: null };
    const { marked } = await session.run((client) => exchangeRows(client, db.schema, given));
    return marked[0]?.attempt !== null;
  };
  onTestFinished(async () => {
    for (const session of sessions) await session.close();
  });
  const marks: Mark[] = rows;
  return { db, mark, marks };
}

test(`of two concurrent marks with a limit of one row in flight, only one succeeds`, async () => {
  const { db, mark, marks } = await openTwo();
  for (let round = 0; round < 20; round += 1) {
    const [one, other] = marks.splice(0, 2);
    if (!one || !other) throw new Error('no rows');
    const marked = await Promise.all([mark(0, one), mark(1, other)]);
    expect(marked.filter(Boolean)).toHaveLength(1);
    await db.pool.query(`UPDATE ${db.schema}.rows SET state = 'done' WHERE state = 'sent'`);
  }
});

test(`frees the slot of a stopped worker when its request can no longer be processed`, async () => {
  const { db, mark, marks } = await openTwo();
  const [one, two, three] = marks;
  if (!one || !two || !three) throw new Error('no rows');
  const age = (milliseconds: number) =>
    db.pool.query(
      `UPDATE ${db.schema}.rows SET sent_at = clock_timestamp() - $1 * interval '1 millisecond' WHERE number = 0`,
      [milliseconds],
    );
  await db.pool.query(`UPDATE ${db.schema}.jobs SET deadline = 60000, lookup_after = 65000`);
  expect(await mark(0, one)).toBe(true);
  await age(60_000);
  expect(await mark(1, two)).toBe(false);
  await age(65_001);
  expect(await mark(1, two)).toBe(true);
  expect(await mark(1, three)).toBe(false);
});
