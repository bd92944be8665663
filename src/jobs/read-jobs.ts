import type { Database } from './database.ts';
import { JobsError } from './jobs-error.ts';
import { markerOf } from './marker.ts';
import { readOutage } from './outage.ts';
import type { CompletedRow, JobState, JobStatus, Json, Problem, RowState } from './types.ts';

interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly definition: string;
  readonly version: number;
  readonly state: JobState;
  readonly reason: string | null;
  readonly total: number;
  readonly plannedAt: Date;
  readonly endedAt: Date | null;
  readonly waitingUntil: Date | null;
  readonly workers: number;
  readonly account: string;
  readonly options: unknown;
  readonly outage: unknown;
  readonly seed: string;
}

/** Whether only some steps of a row are done, as SQL. */
const isBegun = `(state = 'planned' AND coalesce(results, '{}') <> '{}')`;

/** Finds a job by its name. */
export async function findJob(db: Database, name: string): Promise<JobRow> {
  const [found] = await findJobs(db, name);
  if (!found) throw new JobsError(`There is no job ${name}.`);
  return found;
}

async function findJobs({ pool, schema }: Database, name?: string): Promise<JobRow[]> {
  const { rows } = await pool.query<JobRow>(
    `SELECT j.id::text, j.name, definition, version, state, reason, total, account, options, seed, outage, planned_at AS "plannedAt", ended_at AS "endedAt",
      (SELECT until FROM ${schema}.waits w WHERE w.name = 'account ' || j.account AND until > clock_timestamp()) AS "waitingUntil",
      (SELECT count(*)::int FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND classid = '${schema}.workers'::regclass::oid) AS workers
    FROM ${schema}.jobs j WHERE $1::text IS NULL OR name = $1 ORDER BY j.id DESC`,
    [name ?? null],
  );
  return rows;
}

/**
 * Progress of a job, or of all.
 *
 * @param deadlineOf - deadline of the requests of a definition in milliseconds
 */
export async function readStatus(
  db: Database,
  deadlineOf: (definition: string) => number,
  name?: string,
): Promise<JobStatus[]> {
  const jobs = name === undefined ? await findJobs(db) : [await findJob(db, name)];
  return Promise.all(
    jobs.map(async ({ id, account: _, seed: __, reason, endedAt, waitingUntil, outage, ...job }) => {
      const { rows } = await db.pool.query<{
        state: RowState;
        count: number;
        begun: number;
        lost: number;
        sentAt: Date | null;
      }>(
        `SELECT state, count(*)::int, count(*) FILTER (WHERE begun)::int AS begun, count(*) FILTER (WHERE lost)::int AS lost, max(sent_at) FILTER (WHERE lost) AS "sentAt" FROM (
          SELECT state, sent_at, state = 'sent' AND (worker IS NULL OR worker <> ALL (ARRAY(
            SELECT objid::int FROM pg_locks
            WHERE locktype = 'advisory' AND granted AND classid = '${db.schema}.workers'::regclass::oid AND objsubid = 2
          ))) AS lost, ${isBegun} AS begun FROM ${db.schema}.rows WHERE job = $1
        ) r GROUP BY state`,
        [id],
      );
      const counts: Record<RowState, number> = { planned: 0, sent: 0, done: 0, refused: 0, unknown: 0 };
      for (const { state, count } of rows) counts[state] = count;
      const begun = job.state === 'cancelled' ? (rows.find(({ begun }) => begun > 0)?.begun ?? 0) : 0;
      const now = job.state === 'running' ? readOutage(outage) : undefined;
      const sent = rows.find(({ lost }) => lost > 0);
      const until = new Date((sent?.sentAt?.getTime() ?? 0) + deadlineOf(job.definition));
      return {
        ...job,
        rows: counts,
        ...(reason !== null && { reason }),
        ...(endedAt && { endedAt }),
        ...(waitingUntil && { waitingUntil }),
        ...(now && { outage: now }),
        ...(begun > 0 && { begun }),
        ...(sent && { lookups: { rows: sent.lost, until } }),
      };
    }),
  );
}

interface ReadRow {
  readonly key: string;
  readonly line: number;
  readonly number: number;
  readonly state: RowState;
  readonly step: string | null;
  readonly reason: string | null;
  readonly code: string | null;
  readonly sentAt: Date | null;
  readonly values: unknown;
  readonly results: Record<string, Json> | null;
}

/** Some rows of a job, in the order of the source, in pages: memory stays flat. */
async function* readRows(db: Database, id: string, where: string): AsyncGenerator<ReadRow> {
  let number = -1;
  for (;;) {
    const { rows } = await db.pool.query<ReadRow>(
      `SELECT key, line, number, state, step, reason, code, sent_at AS "sentAt", "values", results FROM ${db.schema}.rows
      WHERE job = $1 AND (${where}) AND number > $2
      ORDER BY number LIMIT 1000`,
      [id, number],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield* rows;
    number = last.number;
  }
}

/** The rows that a person should look at. */
export async function* readProblems(db: Database, name: string): AsyncGenerator<Problem> {
  const { id, seed, state } = await findJob(db, name);
  // Rows of another job that are begun continue.
  const where = `state IN ('refused', 'unknown')${state === 'cancelled' ? ` OR ${isBegun}` : ''}`;
  for await (const { number: _, step, reason, code, sentAt, results, ...row } of readRows(db, id, where)) {
    const begun = row.state === 'planned' && `The job was cancelled after ${Object.keys(results ?? {}).join(', ')}`;
    yield {
      ...row,
      state: row.state === 'refused' || row.state === 'unknown' ? row.state : 'begun',
      reason: begun || (reason ?? 'The reason was removed'),
      results: results ?? {},
      ...(step !== null && { step, marker: markerOf(seed, row.key, step) }),
      ...(code !== null && { code }),
      ...(sentAt && { sentAt }),
    };
  }
}

/** The completed rows. */
export async function* readResults(db: Database, name: string): AsyncGenerator<CompletedRow> {
  const { id } = await findJob(db, name);
  for await (const { key, line, results } of readRows(db, id, `state = 'done'`))
    yield { key, line, results: results ?? {} };
}
