import type { Database } from './database.ts';
import { JobsError } from './jobs-error.ts';
import type { Queue, QueueOf, Received } from './queue.ts';
import { findJob } from './read-jobs.ts';
import { chunkSize } from './schema.ts';
import type { JobState } from './types.ts';

/** Changes the state of a job from one of some states. */
export async function changeState(db: Database, name: string, from: readonly JobState[], to: JobState): Promise<void> {
  const { rowCount } = await db.pool.query(
    `UPDATE ${db.schema}.jobs SET state = $2, reason = NULL,
      ended_at = CASE WHEN $2 IN ('cancelled', 'finished') THEN clock_timestamp() END
    WHERE name = $1 AND state = ANY ($3)`,
    [name, to, from],
  );
  if (rowCount) return;
  const { state } = await findJob(db, name);
  if (state !== to) throw new JobsError(`The job ${name} is ${state}: it cannot become ${to}.`);
}

/** Pauses a job with a reason, because every request would fail. */
export async function stopJob({ pool, schema }: Database, id: string, reason: string): Promise<void> {
  await pool.query(`UPDATE ${schema}.jobs SET state = 'paused', reason = $2 WHERE id = $1 AND state = 'running'`, [
    id,
    reason,
  ]);
}

/** Ends a job. Rows that were sent keep their chunks, so that workers look up their outcomes. */
export async function cancelJob(db: Database, name: string): Promise<void> {
  await changeState(db, name, ['running', 'paused'], 'cancelled');
  await db.pool.query(
    `DELETE FROM ${db.schema}.chunks c USING ${db.schema}.jobs j WHERE j.name = $1 AND c.job = j.id AND c.number NOT IN (
      SELECT r.number / $2::int FROM ${db.schema}.rows r WHERE r.job = j.id AND r.state = 'sent'
    )`,
    [name, chunkSize],
  );
}

/**
 * Puts the open chunks of running and cancelled jobs into the queue. Those that are in it already stay as they are, so it does no harm
 * to call it too often.
 */
export async function requeue(db: Database, queue: Queue, of: readonly QueueOf[], job?: string): Promise<void> {
  const { rows } = await db.pool.query<{ account: string; definition: string; job: string; chunk: number }>(
    `SELECT account, definition, j.id::text AS job, c.number AS chunk FROM ${db.schema}.jobs j JOIN ${db.schema}.chunks c ON c.job = j.id
    WHERE j.state <> 'paused' AND definition = ANY ($1) AND ($2::bigint IS NULL OR j.id = $2) ORDER BY j.id, c.number`,
    [of.map(({ definition }) => definition), job ?? null],
  );
  for (const { account, definition } of of) {
    const chunks = rows.filter((row) => row.definition === definition && row.account === account);
    if (chunks.length > 0) await queue.add({ account, definition }, chunks);
  }
}

/** Notes which worker has a chunk, by which message. */
export async function holdChunk(
  { pool, schema }: Database,
  { job, chunk, attempt }: Received,
  worker: number,
): Promise<void> {
  await pool.query(`UPDATE ${schema}.chunks SET worker = $3, message = $4 WHERE job = $1 AND number = $2`, [
    job,
    chunk,
    worker,
    attempt.id,
  ]);
}

/** Gives the chunks of workers whose sessions have ended to others, before pg-boss misses their signs of life. */
export async function releaseChunks({ pool, schema }: Database, queue: Queue): Promise<void> {
  const { rows } = await pool.query<QueueOf & { message: string }>(
    `UPDATE ${schema}.chunks c SET worker = NULL FROM ${schema}.jobs j
    WHERE j.id = c.job AND c.worker IS NOT NULL AND ${schema}.is_gone(c.worker) RETURNING account, definition, message`,
  );
  for (const { message, ...of } of rows) await queue.release(of, message);
}

/** Removes personal data: of one row that is completed, refused or unknown, or of all rows of a job that has ended. */
export async function forgetRows(db: Database, name: string, key: string | undefined): Promise<number> {
  const { id, state } = await findJob(db, name);
  if (key === undefined && state !== 'finished' && state !== 'cancelled') {
    throw new JobsError(`The job ${name} is ${state}: cancel it first, or name a row.`);
  }
  const { rowCount } = await db.pool.query(
    `UPDATE ${db.schema}.rows SET "values" = NULL, results = NULL, reason = NULL, sender = NULL,
      state = CASE WHEN state = 'planned' THEN 'refused' ELSE state END, attempt = attempt + 1
    WHERE job = $1 AND ($2::text IS NULL OR key = $2) AND state <> 'sent'`,
    [id, key ?? null],
  );
  if (key !== undefined && !rowCount) {
    throw new JobsError(`The job ${name} has no row ${key} without a request in flight: try again after its deadline.`);
  }
  return rowCount ?? 0;
}

/** Removes a job that has ended, with all its rows. */
export async function removeJob(db: Database, name: string): Promise<void> {
  const { id, state } = await findJob(db, name);
  const { rowCount } = await db.pool.query(
    `WITH removed AS (
      DELETE FROM ${db.schema}.jobs WHERE id = $1 AND state IN ('finished', 'cancelled')
        AND NOT EXISTS (SELECT FROM ${db.schema}.rows WHERE job = $1 AND state = 'sent')
      RETURNING id
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
