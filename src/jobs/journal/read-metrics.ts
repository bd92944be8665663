import type { JobMetrics, JobState } from '../types.ts';
import { countRows } from './count-rows.ts';
import type { Database } from './database.ts';

/** Reads the measurements of the jobs that are not ended, or ended less than an hour ago. */
export async function readMetrics(db: Database): Promise<JobMetrics[]> {
  const { pool, schema, queueSchema } = db;
  const { rows: jobs } = await pool.query<{
    id: string;
    name: string;
    definition: string;
    state: JobState;
    total: number;
    rate: number | null;
    isClosed: boolean;
    lag: number;
  }>(
    `SELECT j.id::text, j.name, j.definition, j.state, j.total, j.rate,
      j.state = 'running' AND (j.closed_wait IS NOT NULL OR EXISTS (
        SELECT FROM ${schema}.waits w WHERE w.name = 'account ' || j.account || ' ' || j.service AND w.until > clock_timestamp()
      )) AS "isClosed",
      CASE WHEN j.state = 'running' THEN coalesce((
        SELECT extract(epoch FROM clock_timestamp() - min(m.start_after)) FROM "${queueSchema}".job m
        WHERE m.name = j.queue || '/' || j.id AND m.state IN ('created', 'retry') AND m.start_after <= clock_timestamp() AND m.data->>'job' = j.id::text
      ), 0) ELSE 0 END::float8 AS lag
    FROM ${schema}.jobs j WHERE j.ended_at IS NULL OR j.ended_at > clock_timestamp() - interval '1 hour' ORDER BY j.id`,
  );
  return Promise.all(
    jobs.map(async ({ id, total, rate, ...job }) => {
      const { counts, waiting } = await countRows(db, id, total);
      return { ...job, rows: counts, lookups: waiting, ...(rate !== null && { rate }) };
    }),
  );
}
