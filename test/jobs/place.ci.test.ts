import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openPlannedJob } from './planned-job.ts';
import { missingPostgres } from './start-postgres.ts';

/** The SQL functions that notice data that went back, and that continue a job. Tests of restores use them with real backups. */

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const aTest = test.skipIf(missingPostgres);

/** Opens a job with 50 planned rows, and another one with one row on line 900. */
async function openJobs() {
  const { db, job } = await openPlannedJob();
  const sql = async (text: string, values: readonly unknown[] = []) =>
    (await db.pool.query(text.replaceAll('carillon.', `${db.schema}.`), [...values])).rows;
  const [{ id: other }] = await sql(
    `INSERT INTO carillon.jobs (name, account, service, queue, definition, version, steps, checksum, options, deadline, lookup_after)
    VALUES ('b', '', '', '', '', 1, '{}', '', '{}', 1000, 1000) RETURNING id::text`,
  );
  await sql(`INSERT INTO carillon.rows (job, number, line, key, state) VALUES ($1, 1, 900, '1', 'planned')`, [other]);
  const goBack = () => sql(`SELECT carillon.go_back($1, 'A test')`, [job]);
  const read = async (columns: string, id = job) =>
    (await sql(`SELECT ${columns} FROM carillon.jobs WHERE id = $1`, [id]))[0];
  const addWorker = (number: number, host: string, seconds: number, chunks: readonly string[]) =>
    sql(
      `INSERT INTO carillon.workers (number, host, process, queues, chunks, beat_at, file)
      VALUES ($1, $2, 7, '{}', $3, now() - $4 * interval '1 second', $5)`,
      [number, host, chunks, seconds, randomUUID()],
    );
  const missing = async () =>
    (await sql('SELECT host FROM carillon.workers WHERE is_missing ORDER BY host')).map(({ host }) => host);
  return { sql, job, other, goBack, read, addWorker, missing };
}

test.skipIf(missingPostgres).each([
  ['running', 'paused'],
  ['paused', 'paused'],
  ['finished', 'finished'],
  ['cancelled', 'cancelled'],
])(`a job that was %s before its data went back is %s${skipped}`, async (before, after) => {
  const { sql, goBack, read } = await openJobs();
  await sql(`UPDATE carillon.jobs SET state = $1`, [before]);
  await goBack();
  expect(await read('state, went_back_at IS NOT NULL AS "wentBack"')).toEqual({ state: after, wentBack: true });
});

aTest(`only jobs that last ran elsewhere are paused when a worker starts${skipped}`, async () => {
  const { sql, job, other, read } = await openJobs();
  await sql(`UPDATE carillon.jobs SET place = 'elsewhere' WHERE id = $1`, [other]);
  await sql('SELECT carillon.notice_server()');
  expect([(await read('state', job)).state, (await read('state', other)).state]).toEqual(['running', 'paused']);
  expect((await read('place = carillon.place() AS "isHere"', other)).isHere).toBe(true);
});

aTest(
  `the reason names workers that were active at the last commit, with their lines of the job${skipped}`,
  async () => {
    const { job, other, goBack, read, addWorker, missing } = await openJobs();
    await addWorker(1, 'active', 0, [`${job}.0`, `${other}.0`]);
    await addWorker(2, 'recent', 50, [`${job}.0`]);
    await addWorker(3, 'elsewhere', 0, [`${other}.0`]);
    await addWorker(4, 'past', 70, [`${job}.0`]);
    await goBack();
    expect(await missing()).toEqual(['active', 'elsewhere', 'recent']);
    const { reason } = await read('reason');
    expect(reason).toMatch(/^A test \(noticed at /);
    expect(reason).toContain('active (process 7) worked on lines 1 to 50. ');
    expect(reason).toContain('recent (process 7) worked on lines 1 to 50. ');
    expect(reason).not.toMatch(/elsewhere|past|900/);
  },
);

aTest(`only the files of the job that went back are waited for${skipped}`, async () => {
  const { sql, job, other, goBack } = await openJobs();
  for (const id of [job, other])
    await sql(`INSERT INTO carillon.files (job, file, host, folder) VALUES ($1, $2, '', '')`, [id, randomUUID()]);
  await goBack();
  expect(await sql('SELECT job::text FROM carillon.files WHERE is_back')).toEqual([{ job: other }]);
});

/** Changes row 1, restores it from an attempt in the file of a worker, and returns the row, its chunks and its job. */
async function restore(row: string, attempt: Readonly<Record<string, unknown>>, change?: string) {
  const { sql, job, read } = await openJobs();
  await sql(`UPDATE carillon.rows SET ${row} WHERE job = $1 AND number = 1`, [job]);
  if (change) await sql(`UPDATE carillon.jobs SET ${change} WHERE id = $1`, [job]);
  const known = { number: 1, seen: 0, attempt: 1, worker: 5, step: 'send', state: 'sent', results: null, ...attempt };
  const [{ count }] = await sql('SELECT carillon.restore_sent($1, $2) AS count', [job, JSON.stringify([known])]);
  const [restored] = await sql(
    `SELECT state, attempt, sender, results, "values" FROM carillon.rows WHERE job = $1 AND number = 1`,
    [job],
  );
  const chunks = await sql('SELECT number FROM carillon.chunks');
  return { count, row: restored, chunks: chunks.length, job: await read('state, ended_at AS "endedAt"') };
}

aTest(`a row that lost its mark gets what the file of its worker has${skipped}`, async () => {
  expect(await restore(`"values" = '[1]'`, {})).toMatchObject({
    count: 1,
    row: { state: 'sent', attempt: 2, sender: 5, results: null, values: [1] },
    chunks: 1,
  });
});

test.skipIf(missingPostgres).each([
  [3, 1, 4],
  [1, 5, 6],
])(`its attempt is above those of both: %i of the row, %i of the file${skipped}`, async (seen, attempt, expected) => {
  const { row } = await restore(`attempt = ${seen}`, { seen, attempt });
  expect(row.attempt).toBe(expected);
});

test.skipIf(missingPostgres).each([
  [null, { kept: 1 }],
  [{ sent: 2 }, { sent: 2 }],
])(`results in the file replace those of the row: %j${skipped}`, async (results, expected) => {
  const { row } = await restore(`results = '{"kept":1}'`, { results });
  expect(row.results).toEqual(expected);
});

test.skipIf(missingPostgres).each([
  [true, null],
  [undefined, [1]],
])(`values are removed with an outcome that forgets them: %s${skipped}`, async (forgetValues, expected) => {
  const { row } = await restore(`"values" = '[1]'`, { state: 'done', forgetValues });
  expect(row.values).toEqual(expected);
});

test.skipIf(missingPostgres).each([
  ['has changed since the comparison', 'attempt = 1'],
  ['is done', `state = 'done'`],
])(`a row that %s stays${skipped}`, async (_, change) => {
  expect(await restore(change, {})).toMatchObject({ count: 0, chunks: 0 });
});

test.skipIf(missingPostgres).each([
  ['planned', 1],
  ['sent', 1],
  ['done', 0],
  ['refused', 0],
  ['unknown', 0],
])(`opens the chunk of rows with more to do: %s${skipped}`, async (state, chunks) => {
  expect(await restore('attempt = 0', { state })).toMatchObject({ count: 1, row: { state }, chunks });
});

test.skipIf(missingPostgres).each([
  ['a finished job runs again', `state = 'finished', ended_at = now()`, 'running'],
  ['one whose data went back is paused', `state = 'finished', ended_at = now(), went_back_at = now()`, 'paused'],
  ['a paused job stays paused', `state = 'paused'`, 'paused'],
  ['a cancelled job stays cancelled', `state = 'cancelled'`, 'cancelled'],
])(`with rows that the file adds, %s${skipped}`, async (_, change, state) => {
  expect((await restore('attempt = 0', {}, change)).job).toEqual({ state, endedAt: null });
});

test.skipIf(missingPostgres).each<[what: string, isAll: boolean, keys: string[], lines: string, numbers: number[]]>([
  ['all', true, [], '{}', [1, 2, 3, 4]],
  ['none', false, [], '{}', []],
  ['some keys', false, ['2', '9'], '{}', [2]],
  ['some lines', false, [], '{[3,4]}', [3, 4]],
])(`an answer makes planned rows suspect, and no others: %s${skipped}`, async (_, isAll, keys, lines, numbers) => {
  const { sql, job, goBack } = await openJobs();
  await sql(`UPDATE carillon.rows SET state = 'done' WHERE job = $1 AND number > 4`, [job]);
  await goBack();
  const [{ count }] = await sql('SELECT carillon.answer($1, $2, $3, $4) AS count', [job, isAll, keys, lines]);
  const suspects = await sql('SELECT number FROM carillon.rows WHERE is_suspect ORDER BY number');
  expect([count, suspects.map(({ number }) => number)]).toEqual([numbers.length, numbers]);
});

test.skipIf(missingPostgres).each([
  ['once no job waits for an answer', 'went_back_at = NULL', []],
  ['if the other one is cancelled', `went_back_at = now(), state = 'cancelled'`, []],
  ['not while another waits for one', `went_back_at = now(), state = 'paused'`, ['active']],
])(`workers are no longer missing after an answer, %s${skipped}`, async (_, change, expected) => {
  const { sql, job, other, goBack, addWorker, missing } = await openJobs();
  await addWorker(1, 'active', 0, []);
  await goBack();
  await sql(`UPDATE carillon.jobs SET ${change} WHERE id = $1`, [other]);
  await sql(`SELECT carillon.answer($1, false, '{}', '{}')`, [job]);
  expect(await missing()).toEqual(expected);
});

/** Resumes a paused job with a closed gate. Returns its state, and the waits that are left. */
async function resume(change: string, hasChunk: boolean) {
  const { sql, job, read } = await openJobs();
  await sql(
    `UPDATE carillon.jobs SET state = 'paused', reason = 'why', account = 'one', service = 'here', lost = '{"send":20}',
      closed_wait = 500, closed_until = now(), is_trying = true, outage = '{}' WHERE id = $1`,
    [job],
  );
  await sql(`UPDATE carillon.jobs SET ${change} WHERE id = $1`, [job]);
  const waits = ['account one here', 'account two here', `rate ${job}`, 'rate 0'];
  await sql('INSERT INTO carillon.waits SELECT name, now() FROM unnest($1::text[]) name', [waits]);
  if (hasChunk) await sql('INSERT INTO carillon.chunks VALUES ($1, 0)', [job]);
  const [{ resumed }] = await sql('SELECT carillon.resume($1) AS resumed', [job]);
  const left = await sql('SELECT name FROM carillon.waits ORDER BY name');
  const { gate, ...state } = await read(
    `state, reason, ended_at IS NOT NULL AS "hasEnded",
      jsonb_build_array(lost, closed_wait, closed_until IS NULL, is_trying, outage) AS gate`,
  );
  return {
    resumed,
    ...state,
    waits: left.map(({ name }) => name),
    isOpen: JSON.stringify(gate) === '[{},null,true,false,null]',
  };
}

const others = ['account two here', 'rate 0'];

test.skipIf(missingPostgres).each([
  ['with rows runs again', true, { state: 'running', hasEnded: false }],
  ['without rows has finished', false, { state: 'finished', hasEnded: true }],
])(`a paused job that is resumed %s, and its waits end${skipped}`, async (_, hasChunk, expected) => {
  const resumed = { resumed: true, reason: null, isOpen: true, waits: others };
  expect(await resume('name = name', hasChunk)).toEqual({ ...resumed, ...expected });
});

aTest(`the waits of a running job end, too${skipped}`, async () => {
  const running = { resumed: false, state: 'running', reason: 'why', hasEnded: false, isOpen: true, waits: others };
  expect(await resume(`state = 'running'`, true)).toEqual(running);
});

aTest(`resume changes nothing in a job whose data went back and that has no answer${skipped}`, async () => {
  const { waits, ...job } = await resume('went_back_at = now()', true);
  expect(job).toEqual({ resumed: false, state: 'paused', reason: 'why', hasEnded: false, isOpen: false });
  expect(waits).toHaveLength(4);
});

aTest(`resume does not change a cancelled job${skipped}`, async () => {
  const { waits: _, ...job } = await resume(`state = 'cancelled'`, true);
  expect(job).toEqual({ resumed: false, state: 'cancelled', reason: 'why', hasEnded: false, isOpen: false });
});
