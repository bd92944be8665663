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
    now: string | null = null,
  ) => {
    const own = Object.entries(attempts).map(([number, attempt]) => ({ job, number: Number(number), attempt }));
    const given = { worker, outcomes, marks: [...own, ...others], now };
    return session.run((client) => exchangeRows(client, db.schema, given));
  };
  /** Requests in a row without a sure outcome, by step. */
  const readLost = async () =>
    (await db.pool.query(`SELECT lost FROM ${db.schema}.jobs WHERE id = $1`, [job])).rows[0].lost;
  /** Runs a statement, as another worker or a person does. */
  const sql = (text: string) => db.pool.query(text.replaceAll('carillon.', `${db.schema}.`));
  return { exchange, outcomeOf, readLost, sql, job };
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

test.skipIf(missingPostgres).each<Outcome['state']>(['done', 'refused', 'planned', 'sent'])(
  `an outcome is written once: %s${skipped}`,
  async (state) => {
    const { exchange, outcomeOf } = await openWorker();
    await exchange([], { 1: 0 });
    const outcome = outcomeOf(1, { state });
    expect((await exchange([outcome], { 2: 0 })).written).toEqual([outcome]);
    expect((await exchange([outcome], { 3: 0 })).written).toEqual([]);
  },
);

aTest(
  `a late outcome that plans its row again opens the chunk, also beside rows that are marked${skipped}`,
  async () => {
    const { exchange, outcomeOf, sql, job } = await openWorker();
    await exchange([], { 1: 0 });
    await sql(`UPDATE carillon.rows SET state = 'unknown', attempt = 2 WHERE number = 1`);
    const late = outcomeOf(1, { state: 'planned' });
    const { written, reopened, marked } = await exchange([late], { 2: 0 });
    expect(written).toEqual([late]);
    expect(reopened).toEqual([{ job, chunk: 0 }]);
    expect(marked).toMatchObject([{ attempt: 1 }]);
  },
);

test.skipIf(missingPostgres).each<[what: string, change: string, state: Outcome['state']]>([
  ['that another worker has sent since', 'attempt = 3, worker = worker + 1, sender = sender + 1', 'planned'],
  ['that has ended since', `attempt = 2, state = 'done'`, 'refused'],
  ['that was taken over, if it is not certain,', 'attempt = 2', 'sent'],
])(`a late outcome of a row %s is not written${skipped}`, async (_, text, state) => {
  const { exchange, outcomeOf, sql } = await openWorker();
  await exchange([], { 1: 0 });
  await sql(`UPDATE carillon.rows SET ${text} WHERE number = 1`);
  const read = () => sql('SELECT state, attempt, worker, sender FROM carillon.rows WHERE number = 1');
  const { rows } = await read();
  expect((await exchange([outcomeOf(1, { state })], {})).written).toEqual([]);
  expect((await read()).rows).toEqual(rows);
});

test.skipIf(missingPostgres).each([
  ['runs again', null, 'running'],
  ['is paused if its data went back', '2026-01-01', 'paused'],
])(`after a late outcome that plans its row again, a finished job %s${skipped}`, async (_, wentBackAt, state) => {
  const { exchange, outcomeOf, sql } = await openWorker();
  await exchange([], { 1: 0 });
  await sql(`UPDATE carillon.rows SET state = 'unknown', attempt = 2 WHERE number = 1`);
  const since = wentBackAt === null ? 'NULL' : `'${wentBackAt}'`;
  await sql(`UPDATE carillon.jobs SET state = 'finished', ended_at = now(), went_back_at = ${since}`);
  await exchange([outcomeOf(1, { state: 'planned' })], {});
  expect((await sql('SELECT state, ended_at FROM carillon.jobs')).rows).toEqual([{ state, ended_at: null }]);
});

test.skipIf(missingPostgres).each([
  ['stays suspect after an outcome', {}, true],
  ['is clear after a lookup that found nothing', { isClear: true }, false],
])(`a row that may have been sent before a restore %s${skipped}`, async (_, given, isSuspect) => {
  const { exchange, outcomeOf, sql } = await openWorker();
  await sql('UPDATE carillon.rows SET is_suspect = true WHERE number = 1');
  await exchange([], { 1: 0 });
  await exchange([outcomeOf(1, { state: 'planned', ...given })], {});
  expect((await sql('SELECT is_suspect FROM carillon.rows WHERE number = 1')).rows).toEqual([
    { is_suspect: isSuspect },
  ]);
});

aTest(
  `a row counts for the limit of rows in flight until its worker has given up waiting for a reply${skipped}`,
  async () => {
    const { exchange, outcomeOf, sql } = await openWorker();
    await sql('UPDATE carillon.jobs SET concurrency = 1, lookup_after = 60000');
    await exchange([], { 1: 0 });
    expect((await exchange([], { 2: 0 })).marked).toMatchObject([{ attempt: null, isFull: true }]);
    const { kind: _, ...unsure } = outcomeOf(1, { state: 'sent' });
    expect((await exchange([unsure], { 2: 0 })).marked).toMatchObject([{ attempt: 1, isFull: false }]);
  },
);

aTest(`a removed job does not hold up the rows of another in the same exchange${skipped}`, async () => {
  const { exchange } = await openWorker();
  const { marked } = await exchange([], { 1: 0, 2: 0 }, [{ job: '999', number: 1, attempt: 0 }]);
  expect(marked).toMatchObject([
    { attempt: 1, jobState: 'running' },
    { attempt: 1, jobState: 'running' },
    { attempt: null, jobState: null },
  ]);
});

test.skipIf(missingPostgres).each<[what: string, change: string, marked: object]>([
  ['of a paused job', `UPDATE carillon.jobs SET state = 'paused'`, { jobState: 'paused' }],
  ['that has ended with the same attempt', `UPDATE carillon.rows SET state = 'refused' WHERE number = 1`, {}],
  ['that was planned again', 'UPDATE carillon.rows SET attempt = 1 WHERE number = 1', {}],
  [
    'whose account waits',
    `INSERT INTO carillon.waits (name, until) SELECT 'account ' || account || ' ' || service, clock_timestamp() + interval '1 minute' FROM carillon.jobs`,
    { wait: expect.closeTo(60_000, -5) },
  ],
  [
    'whose gate is closed',
    `UPDATE carillon.jobs SET closed_wait = 60000, closed_until = clock_timestamp() + interval '1 minute'`,
    { wait: expect.closeTo(60_000, -5) },
  ],
  ['beyond the limit of rows in flight', 'UPDATE carillon.jobs SET concurrency = 0', { isFull: true }],
])(`a row %s is not marked${skipped}`, async (_, text, reason) => {
  const { exchange, sql } = await openWorker();
  await sql(text);
  const usual = { attempt: null, jobState: 'running', wait: null, isFull: false };
  expect((await exchange([], { 1: 0 })).marked).toMatchObject([{ ...usual, ...reason }]);
});

aTest(`a wait that has ended, or of another service, holds up no row${skipped}`, async () => {
  const { exchange, sql } = await openWorker();
  await sql(
    `INSERT INTO carillon.waits (name, until) SELECT 'account ' || j.account || ' ' || j.service || other.suffix, other.until
    FROM carillon.jobs j, (VALUES ('', clock_timestamp()), ('elsewhere', 'infinity')) AS other (suffix, until)`,
  );
  expect((await exchange([], { 1: 0 })).marked).toMatchObject([{ attempt: 1, wait: null }]);
});

aTest(`the time of waits is that of the exchange, if it has one${skipped}`, async () => {
  const { exchange, sql } = await openWorker();
  await sql(
    `INSERT INTO carillon.waits (name, until) SELECT 'account ' || account || ' ' || service, '2026-01-01T00:01:00Z' FROM carillon.jobs`,
  );
  const at = async (now: string) => (await exchange([], { 1: 0 }, [], now)).marked;
  expect(await at('2026-01-01T00:00:00Z')).toMatchObject([{ attempt: null, wait: 60_000 }]);
  expect(await at('2026-01-01T00:01:00Z')).toMatchObject([{ attempt: 1 }]);
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
