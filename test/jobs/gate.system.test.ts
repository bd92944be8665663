import { expect, test } from 'vitest';
import { settleRows } from '../../src/jobs/journal/exchange.ts';
import { findJob } from '../../src/jobs/journal/read-jobs.ts';
import { type Outcome, takeOver } from '../../src/jobs/journal/rows.ts';
import { Session } from '../../src/jobs/journal/session.ts';
import { openPlannedJob } from './planned-job.ts';

const failure = 'the service fails';

async function openJob() {
  const { db, job } = await openPlannedJob();
  const reply = async (kind: string, given: Partial<Outcome>, count = 1): Promise<void> => {
    const outcome: Outcome = {
      job,
      seed: '',
      number: 999,
      attempt: 1,
      worker: 1,
      state: 'planned',
      results: null,
      kind,
      ...given,
    };
    await settleRows(
      db.pool,
      db.schema,
      Array.from({ length: count }, () => outcome),
    );
  };
  const read = async () =>
    (
      await db.pool.query(
        `SELECT closed_wait AS wait, closed_until AS until, closed_until > clock_timestamp() AS "isClosed", state, lost, outage
        FROM ${db.schema}.jobs WHERE id = $1`,
        [job],
      )
    ).rows[0];
  /** Lets the wait end, and marks some rows. Returns those that may be sent. */
  const mark = async (numbers: readonly number[], { isOver = true } = {}): Promise<number[]> => {
    if (isOver)
      await db.pool.query(`UPDATE ${db.schema}.jobs SET closed_until = clock_timestamp() WHERE id = $1`, [job]);
    const marked = await db.pool.query(`SELECT attempt FROM ${db.schema}.mark(1, clock_timestamp(), $1, $2, $3)`, [
      numbers.map(() => job),
      numbers,
      numbers.map(() => 0),
    ]);
    return numbers.filter((_, index) => marked.rows[index].attempt !== null);
  };
  /** Takes rows over from workers that have ended. Returns the rows that this takes. */
  const take = async (numbers: readonly number[]): Promise<number[]> => {
    await db.pool.query(`UPDATE ${db.schema}.jobs SET lookup_after = 0 WHERE id = $1`, [job]);
    const session = await Session.open(db);
    const rows = numbers.map((number) => ({ number, kind: 'send' }));
    const taken = await session.run((client) => takeOver(client, db.schema, { job, rows, worker: session.worker }));
    await session.close();
    return taken.map(({ number }) => number).toSorted((one, other) => one - other);
  };
  return { db, job, reply, read, mark, take };
}

test(`shows an outage at the third and each later failed try, and its end with the first answer`, async () => {
  const { db, reply, read, mark } = await openJob();
  const outages: boolean[] = [];
  for (const [index, wait] of [500, 1_000, 2_000, 4_000].entries()) {
    // Concurrent failures count once.
    await reply('send', { failure }, 3);
    expect(await read()).toMatchObject({ wait, isClosed: true, state: 'running', lost: { send: 0 } });
    outages.push((await findJob(db, 'a')).outage !== null);
    await mark([index + 1]);
  }
  expect(outages).toEqual([false, false, true, true]);
  expect((await findJob(db, 'a')).outage).toMatchObject({ reason: failure });
  await reply('send', { isAnswered: true });
  expect(await read()).toMatchObject({ wait: null, lost: {} });
  expect((await findJob(db, 'a')).outage).toBeNull();
});

test(`an occasional failure is no outage`, async () => {
  const { db, reply, read } = await openJob();
  for (let count = 0; count < 20; count += 1) {
    await reply('send', { failure });
    await reply('send', { isAnswered: true });
  }
  expect(await read()).toMatchObject({ wait: null, state: 'running' });
  expect((await findJob(db, 'a')).outage).toBeNull();
});

test(`the fourth lost request in a row closes the gate of the job, and one row at a time tries`, async () => {
  const { reply, read, mark } = await openJob();
  await reply('send', { isAnswered: false, failure }, 3);
  expect(await read()).toMatchObject({ wait: null });
  expect(await mark([1, 2])).toEqual([1, 2]);
  await reply('send', { isAnswered: false, failure });
  expect(await read()).toMatchObject({ wait: 500, isClosed: true });
  expect(await mark([3, 4], { isOver: false })).toEqual([]);
  expect(await mark([3, 4])).toEqual([3]);
  // While it tries, also if its wait were over, until its request can no longer be processed.
  expect(await mark([4, 5], { isOver: false })).toEqual([]);
  // An answer to another step does not open it.
  const { outage } = await read();
  await reply('other', { isAnswered: true });
  expect(await read()).toMatchObject({ wait: 500, isClosed: true, lost: { send: 4 }, outage });
  await reply('send', { isAnswered: true });
  expect(await mark([4, 5], { isOver: false })).toEqual([4, 5]);
});

test(`a try that sends nothing does not make the wait grow, and the next row tries`, async () => {
  const { reply, read, mark } = await openJob();
  await reply('send', { failure });
  await mark([1]);
  await reply('send', {});
  expect(await read()).toMatchObject({ wait: 500, isClosed: true });
  expect(await mark([2, 3])).toEqual([2]);
});

test(`the waits grow to 30 seconds, and the outage keeps its beginning`, async () => {
  const { reply, read, mark } = await openJob();
  const waits: number[] = [];
  const beginnings = new Set<string>();
  for (let number = 1; number <= 8; number += 1) {
    await reply('send', { failure });
    const { wait, outage } = await read();
    waits.push(wait);
    beginnings.add(outage.since);
    await mark([number]);
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect([...beginnings]).toEqual([expect.any(String)]);
});

test(`a try whose request is lost makes the wait grow, and the next row tries`, async () => {
  const { reply, read, mark } = await openJob();
  await reply('send', { failure });
  await mark([1]);
  await reply('send', { isAnswered: false, failure });
  expect(await read()).toMatchObject({ wait: 1_000, isClosed: true, lost: { send: 1 } });
  expect(await mark([2, 3])).toEqual([2]);
});

test.each<[string, Partial<Outcome>]>([
  ['is lost', { isAnswered: false, failure }],
  ['finds the service away', { failure }],
  ['is not sent', {}],
])(`a request in flight when the gate closes that %s does not change the wait`, async (_, given) => {
  const { reply, read, mark } = await openJob();
  await reply('send', { failure });
  const { wait, until } = await read();
  await reply('send', given);
  expect(await read()).toMatchObject({ wait, until, isClosed: true });
  expect(await mark([1], { isOver: false })).toEqual([]);
});

test(`the twentieth lost request in a row pauses the job, and resume begins anew`, async () => {
  const { db, reply, read, mark } = await openJob();
  await reply('send', { isAnswered: false, failure }, 19);
  expect(await read()).toMatchObject({ state: 'running' });
  await mark([1]);
  await reply('send', { isAnswered: false, failure });
  expect(await read()).toMatchObject({ state: 'paused' });
  await db.pool.query(`INSERT INTO ${db.schema}.chunks SELECT id, 0 FROM ${db.schema}.jobs`);
  await db.pool.query(`SELECT ${db.schema}.resume(id) FROM ${db.schema}.jobs`);
  expect(await read()).toMatchObject({ state: 'running', lost: {}, wait: null });
  // The first wait is short again, even if a row was trying when the job paused.
  await reply('send', { failure });
  expect(await read()).toMatchObject({ wait: 500 });
});

test(`a request whose worker ended before it wrote an outcome counts as lost, and only once`, async () => {
  const { db, job, read, mark, take } = await openJob();
  await mark([1, 2, 3, 4]);
  // The worker has written that the reply to this one was lost.
  const lost = { job, seed: '', number: 4, attempt: 1, worker: 1, state: 'sent', results: null } as const;
  await settleRows(db.pool, db.schema, [{ ...lost, kind: 'send', isAnswered: false, failure }]);
  expect(await read()).toMatchObject({ wait: null, lost: { send: 1 } });
  expect(await take([1, 2, 4])).toEqual([1, 2, 4]);
  expect(await read()).toMatchObject({ wait: null, lost: { send: 3 } });
  // The worker that took them over ended, too.
  expect(await take([1, 2, 4])).toEqual([1, 2, 4]);
  expect(await read()).toMatchObject({ wait: null, lost: { send: 3 } });
  await take([3]);
  expect(await read()).toMatchObject({ wait: 500, isClosed: true, lost: { send: 4 } });
});

test(`requests that were in flight when workers ended close the gate, and do not pause the job`, async () => {
  const { reply, read, mark, take } = await openJob();
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  await mark(numbers);
  await take(numbers.slice(0, 25));
  await take(numbers.slice(25));
  expect(await read()).toMatchObject({ wait: 500, isClosed: true, state: 'running', lost: { send: 4 } });
  await reply('send', { isAnswered: true });
  expect(await read()).toMatchObject({ wait: null, lost: {} });
});

test(`if each worker ends at its request, the waits grow, and the twentieth in a row pauses the job`, async () => {
  const { read, mark, take } = await openJob();
  await mark([1, 2, 3, 4]);
  await take([1, 2, 3, 4]);
  const waits: number[] = [];
  for (let number = 5; number <= 20; number += 1) {
    expect(await read()).toMatchObject({ state: 'running' });
    expect(await mark([number, number + 1])).toEqual([number]);
    await take([number]);
    waits.push((await read()).wait);
  }
  expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(await read()).toMatchObject({ state: 'paused', lost: { send: 20 } });
});
