import type { PoolClient } from 'pg';
import { checkLimits, checkPriority } from '../define-job.ts';
import { JobsError } from '../jobs-error.ts';
import { openNotes } from '../plan/notes.ts';
import type { Decision, JobSettings, JobState, Source, SourceRow } from '../types.ts';
import { announce } from './active-jobs.ts';
import { type Database, inTransaction, longStatement } from './database.ts';
import { findJob } from './read-jobs.ts';
import { toJsonb } from '../store/storable.ts';

/** Pauses a job. */
export async function pauseJob(db: Database, name: string): Promise<void> {
  await changeState(db, name, ['running'], 'paused');
}

/** Ends a job. Rows that were sent are still looked up. */
export async function cancelJob(db: Database, name: string): Promise<void> {
  await changeState(db, name, ['running', 'paused'], 'cancelled');
}

async function changeState(db: Database, name: string, from: readonly JobState[], to: JobState): Promise<void> {
  const { rows } = await db.pool.query<{ id: string }>(
    `UPDATE ${db.schema}.jobs SET state = $2, reason = NULL, ended_at = CASE WHEN $2 = 'cancelled' THEN clock_timestamp() END
    WHERE name = $1 AND state = ANY ($3) RETURNING id::text`,
    [name, to, from],
  );
  if (rows[0]) await announce(db, rows[0].id);
  else await refuseOther(db, name, to);
}

async function refuseOther(db: Database, name: string, to: JobState): Promise<void> {
  const { state } = await findJob(db, name);
  if (state !== to) throw new JobsError(`The job ${name} is ${state}: it cannot become ${to}.`);
}

/** Changes limits and priority of a job. */
export async function changeSettings(
  db: Database,
  name: string,
  { concurrency, rate, priority }: JobSettings,
): Promise<void> {
  checkLimits(name, { concurrency: concurrency ?? undefined, rate: rate ?? undefined });
  checkPriority(name, priority);
  if (typeof concurrency === 'number' && !Number.isSafeInteger(concurrency))
    throw new JobsError(`${name}: concurrency must be a whole number`);
  const { id } = await findJob(db, name);
  await db.pool.query(
    `WITH changed AS (
      UPDATE ${db.schema}.jobs SET concurrency = CASE WHEN $2 THEN $3::int ELSE concurrency END, rate = CASE WHEN $4 THEN $5::float8 ELSE rate END,
        priority = coalesce($6, priority)
      WHERE id = $1
    ) DELETE FROM ${db.schema}.waits WHERE $4 AND name = 'rate ' || $1`,
    [id, concurrency !== undefined, concurrency ?? null, rate !== undefined, rate ?? null, priority ?? null],
  );
  await announce(db, id);
}

/**
 * Pauses a job with a reason, because every request would fail.
 *
 * @returns its name, or `undefined` if it was not running
 */
export async function stopJob({ pool, schema }: Database, id: string, reason: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    `UPDATE ${schema}.jobs SET state = 'paused', reason = $2 WHERE id = $1 AND state = 'running' RETURNING name`,
    [id, reason],
  );
  return rows[0]?.name;
}

/** Chunks of a job that have rows to send again. */
export interface Opened {
  readonly job: string;
  readonly chunks: readonly number[];
  readonly rows: number;
}

/** Plans refused rows again with corrected values, in one transaction. */
export async function repairRows(db: Database, name: string, source: Source): Promise<Opened> {
  const { id, state } = await findJob(db, name);
  refuseCancelled(state);
  return inTransaction(db.pool, async (client) => {
    await client.query(
      'CREATE TEMP TABLE carillon_repair (key text PRIMARY KEY, line int NOT NULL, "values" jsonb) ON COMMIT DROP',
    );
    let rows = 0;
    let batch: SourceRow[] = [];
    for await (const row of source.rows(openNotes(client))) {
      if (row.problem !== undefined) throw new JobsError(`Line ${row.line}: ${row.problem}. Nothing was planned.`);
      batch.push(row);
      rows += 1;
      if (batch.length < 1_000) continue;
      await stage(db, client, { id, name }, batch);
      batch = [];
    }
    await stage(db, client, { id, name }, batch);
    if (rows === 0) return { job: id, chunks: [], rows };
    // Send one message, so that the lock of the job does not have to wait for this process.
    const results: unknown = await client.query(`SELECT ${db.schema}.repair(${Number(id)}) AS chunks; COMMIT; BEGIN`);
    return { job: id, chunks: firstChunks(results), rows };
  });
}

async function stage(
  { schema }: Database,
  client: PoolClient,
  { id, name }: { id: string; name: string },
  rows: readonly SourceRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const given = toJsonb(rows.map(({ key, line, values }) => ({ key, line, values })));
  const inserted = await client.query<{ key: string }>(
    `INSERT INTO pg_temp.carillon_repair SELECT g.key, g.line, g."values" FROM jsonb_to_recordset($1::jsonb) AS g (key text, line int, "values" jsonb)
    WHERE EXISTS (SELECT FROM ${schema}.rows r WHERE r.job = $2 AND r.key = g.key AND r.state = 'refused')
    ON CONFLICT DO NOTHING RETURNING key`,
    [given, id],
  );
  const found = new Set(inserted.rows.map(({ key }) => key));
  const other = rows.find(({ key }) => !found.delete(key));
  if (other)
    throw new JobsError(
      `Line ${other.line}: ${other.key} is not a refused row of the job ${name}. Nothing was planned.`,
    );
}

/** Reads the first result of several statements. */
function firstChunks(results: unknown): number[] {
  const [first]: { rows?: { chunks?: number[] }[] }[] = Array.isArray(results) ? results : [];
  return first?.rows?.[0]?.chunks ?? [];
}

/** Records the outcome of an unknown row, determined by a person. */
export async function decideRow(
  db: Database,
  name: string,
  key: string,
  { outcome, result }: Decision,
): Promise<Opened> {
  const { id, state } = await findJob(db, name);
  refuseCancelled(state);
  const { rows } = await db.pool.query<{ chunk: number | null }>(
    `SELECT ${db.schema}.decide($1, $2, $3, $4::jsonb) AS chunk`,
    [id, key, outcome === 'done', toJsonb(result ?? null)],
  );
  const chunk = rows[0]?.chunk ?? undefined;
  if (chunk === undefined) throw new JobsError(`${key} is not an unknown row of the job ${name}.`);
  return { job: id, chunks: [chunk], rows: 1 };
}

function refuseCancelled(state: JobState): void {
  if (state === 'cancelled') throw new JobsError('The job was cancelled: plan a new one.');
}

/** Removes personal data of one row that is completed, refused or unknown, or of all rows of a job that has ended. */
export async function forgetRows(db: Database, name: string, key: string | undefined): Promise<number> {
  const { id, state } = await findJob(db, name);
  if (key === undefined && state !== 'finished' && state !== 'cancelled') {
    throw new JobsError(`The job ${name} is ${state}: cancel it first, or name a row.`);
  }
  const rowCount = await runLong(
    db,
    `WITH forgotten AS (UPDATE ${db.schema}.jobs SET forgotten_at = clock_timestamp() WHERE id = $1)
    UPDATE ${db.schema}.rows SET "values" = NULL, results = NULL, reason = NULL, sender = NULL,
      state = CASE WHEN state = 'planned' THEN 'refused' ELSE state END, attempt = attempt + 1
    WHERE job = $1 AND ($2::text IS NULL OR key = $2) AND state <> 'sent'`,
    [id, key ?? null],
  );
  if (key !== undefined && !rowCount) {
    throw new JobsError(`The job ${name} has no row ${key} without a request in flight: try again after its deadline.`);
  }
  return rowCount;
}

/** Removes a job that has ended, with all its rows. */
export async function removeJob(db: Database, name: string): Promise<void> {
  const { id, state } = await findJob(db, name);
  const rowCount = await runLong(
    db,
    `WITH removed AS (
      DELETE FROM ${db.schema}.jobs WHERE id = $1 AND state IN ('finished', 'cancelled')
        AND NOT EXISTS (SELECT FROM ${db.schema}.rows WHERE job = $1 AND state = 'sent')
      RETURNING id, seed
    ), seeds AS (
      INSERT INTO ${db.schema}.removed (seed) SELECT seed FROM removed ON CONFLICT DO NOTHING
    ), rates AS (
      DELETE FROM ${db.schema}.waits WHERE name = 'rate ' || (SELECT id FROM removed)
    ), emptied AS (
      DELETE FROM ${db.schema}.rows WHERE job = (SELECT id FROM removed)
    ) SELECT FROM removed`,
    [id],
  );
  if (!rowCount)
    throw new JobsError(`The job ${name} is ${state} or has requests in flight: cancel it, and wait for them.`);
}

/** Runs a statement over all rows of a job, which may take minutes. */
async function runLong({ pool }: Database, text: string, values: unknown[]): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${longStatement}`);
    const query = { text, values, query_timeout: longStatement + 5_000 };
    return (await client.query(query)).rowCount ?? 0;
  });
}
