import type { Client } from 'pg';
import type { JobState, Outage } from '../types.ts';
import type { Database } from './database.ts';
import { outageSql, readOutage } from './read-jobs.ts';
import { timeAsSql } from './rows.ts';

/** Limits of a job, which a person can change while it runs. */
export interface JobLimits {
  readonly priority: number;
  readonly concurrency: number | null;
  readonly rate: number | null;
}

/** A job that a worker has rows of, or can take rows of. */
export interface FoundJob extends JobLimits {
  readonly id: string;
  readonly name: string;
  readonly queue: string;
  readonly state: JobState;
  /** Whether it has rows to send or to look up. */
  readonly hasRows: boolean;
  /** Milliseconds until its account may send again, or 0. */
  readonly wait: number;
  readonly outage: Outage | undefined;
}

/**
 * Reads the jobs that a worker can work on, those with a higher priority first.
 *
 * @param queues - names of the queues of the worker
 * @param known - IDs of jobs to read in any case
 * @param clock - clock of quotas and pauses
 */
export async function readActiveJobs(
  { pool, schema }: Pick<Database, 'pool' | 'schema'>,
  queues: readonly string[],
  known: readonly string[],
  clock: (() => number) | undefined,
): Promise<FoundJob[]> {
  const { rows } = await pool.query<Omit<FoundJob, 'outage'> & { outage: unknown }>(
    `SELECT j.*, coalesce((SELECT extract(epoch FROM max(w.until) - ${timeAsSql(clock)}) * 1000 FROM ${schema}.waits w
        WHERE w.name = 'account ' || j.account || ' ' || j.service AND w.until > ${timeAsSql(clock)}), 0)::float8 AS wait
    FROM (
      SELECT j.id::text, name, queue, account, service, state, priority, concurrency, rate, ${outageSql} AS outage,
        CASE WHEN state IN ('running', 'cancelled') THEN EXISTS (SELECT FROM ${schema}.chunks c WHERE c.job = j.id)
          ELSE EXISTS (SELECT FROM ${schema}.rows r WHERE r.job = j.id AND r.state = 'sent') END AS "hasRows"
      FROM ${schema}.jobs j WHERE queue = ANY ($1) AND state <> 'finished' OR j.id = ANY ($2::bigint[])
    ) j WHERE "hasRows" OR j.id = ANY ($2::text[]) ORDER BY priority DESC, j.id::bigint`,
    [queues, known],
  );
  return rows.map(({ outage, ...row }) => ({ ...row, outage: readOutage(outage) }));
}

/** Tells workers that a job has changed, so that they do not wait for their next look. */
export async function announce({ pool, schema }: Pick<Database, 'pool' | 'schema'>, job: string): Promise<void> {
  await pool.query('SELECT pg_notify($1, $2)', [channelOf(schema), job]);
}

/** Receives announcements in the session of a worker. */
export async function listen(client: Client, schema: string, onChange: (job: string) => void): Promise<void> {
  client.on('notification', ({ payload = '' }) => onChange(payload));
  await client.query(`LISTEN ${schema}`);
}

/** Name of the channel: the schema. */
function channelOf(schema: string): string {
  return schema.slice(1, -1);
}
