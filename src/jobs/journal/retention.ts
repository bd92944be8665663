import type { AttemptsFile } from './attempts-file.ts';
import { forgetRows } from './change-job.ts';
import type { Database } from './database.ts';

/** Maximum number of rows to compare per statement. */
const maxCompared = 20_000;

/** Removes personal data of the jobs that ended longer ago than they keep it. */
export async function forgetOld(db: Database): Promise<void> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT name FROM ${db.schema}.jobs WHERE ended_at < clock_timestamp() - retention * interval '1 day'
      AND state IN ('finished', 'cancelled') AND (forgotten_at IS NULL OR forgotten_at < ended_at)`,
  );
  for (const { name } of rows) await forgetRows(db, name, undefined);
  await db.pool.query(
    `DELETE FROM ${db.schema}.opt_outs o USING ${db.schema}.jobs j WHERE j.id = o.job AND j.ended_at IS NOT NULL`,
  );
}

/**
 * Removes from a worker's file what the database has forgotten of a row. Only if the database has a later attempt, because data that
 * went back have forgotten nothing.
 */
export async function forgetInFile(
  { pool, schema }: Pick<Database, 'pool' | 'schema'>,
  file: AttemptsFile,
): Promise<void> {
  const kept = file.jobs;
  if (kept.length === 0) return;
  const jobs = await pool.query<{ id: string; seed: string }>(
    `SELECT id::text, seed FROM ${schema}.jobs WHERE seed = ANY ($1::uuid[]) AND forgotten_at IS NOT NULL`,
    [kept.map(({ seed }) => seed)],
  );
  for (const { id, seed } of jobs.rows) {
    const job = kept.find((each) => each.seed === seed);
    if (!job) continue;
    for (let after = -1; ; ) {
      const attempts = file.readDetailed(job, after, maxCompared);
      const last = attempts.at(-1);
      if (!last) break;
      after = last.number;
      const { rows } = await pool.query<{ number: number }>(
        `SELECT r.number FROM unnest($2::int[], $3::int[]) AS g (number, attempt)
        JOIN ${schema}.rows r ON r.job = $1 AND r.number = g.number
        WHERE r.attempt > g.attempt AND r.state <> 'sent' AND r."values" IS NULL AND r.results IS NULL AND r.reason IS NULL`,
        [id, attempts.map(({ number }) => number), attempts.map(({ attempt }) => attempt)],
      );
      file.forgetRows(
        job,
        rows.map(({ number }) => number),
      );
    }
  }
}
