import { expect, onTestFinished, test } from 'vitest';
import { exchangeRows } from '../../src/jobs/journal/exchange.ts';
import type { Mark, Outcome } from '../../src/jobs/journal/rows.ts';
import { Session } from '../../src/jobs/journal/session.ts';
import { openPlannedJob } from './planned-job.ts';
import { missingPostgres } from './start-postgres.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const aTest = test.skipIf(missingPostgres);

/** Opens a worker beside a planned job. */
async function openWorker() {
  const { db, job } = await openPlannedJob();
  const session = await Session.open(db);
  onTestFinished(() => session.close());
  const { worker } = session;
  const outcomeOf = (number: number, given: Partial<Outcome>): Outcome => ({
    ...{ job, seed: '', number, attempt: 1, worker, state: 'done', results: null, kind: 'send', isAnswered: true },
    ...given,
  });
  /** Writes outcomes and marks rows, given as attempts by number, and rows of other jobs after them. */
  const exchange = (
    outcomes: readonly Outcome[],
    attempts: Readonly<Record<number, number>>,
    others: readonly Mark[] = [],
  ) => {
    const own = Object.entries(attempts).map(([number, attempt]) => ({ job, number: Number(number), attempt }));
    const given = { worker, outcomes, marks: [...own, ...others], now: null };
    return session.run((client) => exchangeRows(client, db.schema, given));
  };
  /** Requests in a row without a sure outcome, by step. */
  const readLost = async () =>
    (await db.pool.query(`SELECT lost FROM ${db.schema}.jobs WHERE id = $1`, [job])).rows[0].lost;
  return { exchange, outcomeOf, readLost };
}

aTest(`rows and outcomes that changed meanwhile do not hold up the others of their exchange${skipped}`, async () => {
  const { exchange, outcomeOf } = await openWorker();
  await exchange([], { 1: 0, 2: 0 });
  const [one, changed] = [outcomeOf(1, {}), outcomeOf(2, { attempt: 7 })];
  const { written, marked } = await exchange([changed, one], { 3: 5, 4: 0, 5: 0, 6: 2 });
  expect(written).toEqual([one]);
  expect(marked.map(({ attempt }) => attempt)).toEqual([null, 1, 1, null]);
  for (const each of marked) expect(each).toMatchObject({ jobState: 'running', wait: null, isFull: false });
});

aTest(`a removed job does not hold up the rows of another in the same exchange${skipped}`, async () => {
  const { exchange } = await openWorker();
  const { marked } = await exchange([], { 1: 0, 2: 0 }, [{ job: '999', number: 1, attempt: 0 }]);
  expect(marked).toMatchObject([
    { attempt: 1, jobState: 'running' },
    { attempt: 1, jobState: 'running' },
    { attempt: null, jobState: null },
  ]);
});

aTest(`a service that is away closes the gate for the rows of the same exchange${skipped}`, async () => {
  const { exchange, outcomeOf } = await openWorker();
  await exchange([], { 1: 0 });
  const { isAnswered: _, ...away } = outcomeOf(1, { state: 'planned', failure: 'the service cannot be reached' });
  const { written, marked } = await exchange([away], { 2: 0 });
  expect(written).toEqual([away]);
  expect(marked).toMatchObject([{ attempt: null, jobState: 'running', wait: expect.any(Number) }]);
});

aTest(`an answer ends the count of lost requests in its own exchange${skipped}`, async () => {
  const { exchange, outcomeOf, readLost } = await openWorker();
  await exchange([], { 1: 0, 2: 0 });
  await exchange([outcomeOf(1, { state: 'sent', isAnswered: false, failure: 'no reply came' })], { 3: 0 });
  expect(await readLost()).toEqual({ send: 1 });
  await exchange([outcomeOf(2, {})], { 4: 0 });
  expect(await readLost()).toEqual({});
});
