import { JobsError } from '../jobs-error.ts';
import type {
  CompletedRow,
  JobState,
  JobStatus,
  Json,
  LeftRow,
  Outage,
  PlanSummary,
  Problem,
  RowState,
  WorkerStatus,
} from '../types.ts';
import type { TimedChunk } from '../work/queue.ts';
import { markerOf } from '../work/steps.ts';
import { countRows, isBegun } from './count-rows.ts';
import type { Database } from './database.ts';
import { chunkSize, silenceSeconds } from './sizes.ts';

/** Wait for the next try in milliseconds from which failures count as an outage, and seconds after which it expires without a try. */
const { minOutageWait, reportLifetime } = { minOutageWait: 2_000, reportLifetime: 120 };

/** SQL for the outage of a job. */
export const outageSql = `CASE WHEN closed_wait >= ${minOutageWait} AND closed_until > clock_timestamp() - interval '${reportLifetime} seconds'
  THEN outage || jsonb_build_object('nextTry', closed_until) END`;

interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly definition: string;
  readonly version: number;
  readonly deadline: number;
  readonly state: JobState;
  readonly reason: string | null;
  readonly total: number;
  readonly concurrency: number | null;
  readonly rate: number | null;
  readonly priority: number;
  readonly plannedAt: Date;
  readonly startAt: Date | null;
  readonly endedAt: Date | null;
  readonly waitingUntil: Date | null;
  readonly workers: number;
  readonly queue: string;
  readonly lookupAfter: number;
  readonly options: unknown;
  readonly outage: unknown;
  readonly plan: PlanSummary | null;
  readonly seed: string;
  /** When it was noticed that the data went back, until a person resumes the job. */
  readonly wentBackAt: Date | null;
}

/** Finds a job by its name. */
export async function findJob(db: Database, name: string): Promise<JobRow> {
  const [found] = await findJobs(db, name);
  if (!found) throw new JobsError(`There is no job ${name}.`);
  return found;
}

async function findJobs({ pool, schema }: Database, name?: string): Promise<JobRow[]> {
  const { rows } = await pool.query<JobRow>(
    `SELECT j.id::text, j.name, definition, version, deadline, lookup_after AS "lookupAfter", queue, state, reason, total, options, plan, seed, concurrency, rate,
      went_back_at AS "wentBackAt",
      ${outageSql} AS outage, priority,
      CASE WHEN start_at > clock_timestamp() AND ended_at IS NULL THEN start_at END AS "startAt", planned_at AS "plannedAt", ended_at AS "endedAt",
      (SELECT max(until) FROM ${schema}.waits w WHERE w.name = 'account ' || j.account || ' ' || j.service AND until > clock_timestamp())
        AS "waitingUntil",
      (SELECT count(*)::int FROM ${schema}.workers w JOIN ${schema}.sessions s ON s.worker = w.number
        WHERE j.queue = ANY (w.queues) AND w.beat_at > clock_timestamp() - interval '${silenceSeconds} seconds') AS workers
    FROM ${schema}.jobs j WHERE $1::text IS NULL OR name = $1 ORDER BY j.id DESC`,
    [name ?? null],
  );
  return rows;
}

/** Reads the progress of one job, or of all. */
export async function readStatus(db: Database, name?: string): Promise<JobStatus[]> {
  const jobs = name === undefined ? await findJobs(db) : [await findJob(db, name)];
  return Promise.all(
    jobs.map(
      async ({
        id,
        queue: _,
        lookupAfter,
        seed: __,
        wentBackAt: ___,
        concurrency,
        rate,
        reason,
        startAt,
        endedAt,
        waitingUntil,
        outage,
        plan,
        ...job
      }) => {
        const { counts, begun: allBegun, waiting, sentAt } = await countRows(db, id, job.total);
        const begun = job.state === 'cancelled' ? allBegun : 0;
        const now = job.state === 'running' ? readOutage(outage) : undefined;
        const until = new Date((sentAt?.getTime() ?? 0) + lookupAfter);
        return {
          ...job,
          rows: counts,
          ...(plan && { plan }),
          ...(concurrency !== null && { concurrency }),
          ...(rate !== null && { rate }),
          // A finished job whose data went back keeps its reason for when a row is planned again.
          ...(reason !== null && job.state === 'paused' && { reason }),
          ...(startAt && { startAt }),
          ...(endedAt && { endedAt }),
          ...(waitingUntil && { waitingUntil }),
          ...(now && { outage: now }),
          ...(begun > 0 && { begun }),
          ...(waiting > 0 && { lookups: { rows: waiting, until } }),
        };
      },
    ),
  );
}

/** Reads an outage from its JSON in the database. */
export function readOutage(found: unknown): Outage | undefined {
  if (typeof found !== 'object' || found === null) return undefined;
  const [reason, since, nextTry] = ['reason', 'since', 'nextTry'].map((name) => String(Reflect.get(found, name)));
  return { reason: reason ?? '', since: new Date(since ?? ''), nextTry: new Date(nextTry ?? '') };
}

/** Reads the workers that are alive, hold rows, or are missing after a failover, newest first. */
export async function readWorkers({ pool, schema }: Database): Promise<WorkerStatus[]> {
  const { rows } = await pool.query<
    Omit<WorkerStatus, 'state'> & { silent: number; isMissing: boolean; lives: boolean }
  >(
    `SELECT number, host, process, started_at AS "startedAt", beat_at AS "lastSign", is_missing AS "isMissing",
      extract(epoch FROM clock_timestamp() - beat_at)::float8 AS silent, s.worker IS NOT NULL AS lives,
      (SELECT count(*)::int FROM ${schema}.rows r WHERE r.worker = w.number AND r.state = 'sent') AS rows
    FROM ${schema}.workers w LEFT JOIN ${schema}.sessions s ON s.worker = w.number ORDER BY started_at DESC`,
  );
  return rows.flatMap(({ silent, isMissing, lives, ...worker }) => {
    if (isMissing) return { ...worker, state: 'missing' };
    if (lives) return { ...worker, state: silent > silenceSeconds ? 'silent' : 'working' };
    return worker.rows > 0 ? { ...worker, state: 'ended' } : [];
  });
}

/** SQL condition for the aliases c and j: a chunk has pending work, because its job is running or it has rows to look up. */
function isOpenSql(schema: string): string {
  return `(j.state <> 'paused' OR EXISTS (SELECT FROM ${schema}.rows r WHERE r.job = c.job AND r.state = 'sent'
    AND r.number >= c.number * ${chunkSize} AND r.number < (c.number + 1) * ${chunkSize}))`;
}

/** Reads the chunks of some queues that have pending work, by job. */
export async function readOpenChunks(
  { pool, schema }: Database,
  queues: readonly string[],
  job?: string,
): Promise<{ queue: string; id: string; chunks: TimedChunk[] }[]> {
  const { rows } = await pool.query<{ queue: string; id: string; startAt: Date | null; numbers: number[] }>(
    `SELECT queue, j.id::text, CASE WHEN j.start_at > clock_timestamp() THEN j.start_at END AS "startAt", array_agg(c.number ORDER BY c.number) AS numbers
    FROM ${schema}.jobs j JOIN ${schema}.chunks c ON c.job = j.id
    WHERE queue = ANY ($1) AND ($2::bigint IS NULL OR j.id = $2) AND ${isOpenSql(schema)} GROUP BY j.id ORDER BY j.id`,
    [queues, job ?? null],
  );
  return rows.map(({ queue, id, startAt, numbers }) => ({
    queue,
    id,
    chunks: numbers.map((chunk) => ({ job: id, chunk, ...(startAt && { startAt }) })),
  }));
}

/** Whether a chunk has pending work. */
export async function isOpenChunk(
  { pool, schema }: Database,
  { job, chunk }: { job: string; chunk: number },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM ${schema}.jobs j JOIN ${schema}.chunks c ON c.job = j.id WHERE c.job = $1 AND c.number = $2 AND ${isOpenSql(schema)}`,
    [job, chunk],
  );
  return rowCount === 1;
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

/** Reads rows of a job in the order of the source. Reads them in pages, to limit memory. */
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

/** Reads the rows that a person should check. */
export async function* readProblems(db: Database, name: string): AsyncGenerator<Problem> {
  const { id, seed, state } = await findJob(db, name);
  // Begun rows of a job that is not cancelled will continue.
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

/**
 * Reads the rows of a cancelled job of which nothing was sent.
 *
 * @throws `JobsError` if the job is not cancelled, because it could still send them
 */
export async function* readLeft(db: Database, name: string): AsyncGenerator<LeftRow> {
  const { id, state } = await findJob(db, name);
  if (state !== 'cancelled')
    throw new JobsError(`The job ${name} is ${state}: cancel it first, so that it sends no more.`);
  for await (const { key, line, values } of readRows(db, id, `state = 'planned' AND NOT ${isBegun}`))
    yield { key, line, values };
}

/** Reads the completed rows. */
export async function* readResults(db: Database, name: string): AsyncGenerator<CompletedRow> {
  const { id } = await findJob(db, name);
  for await (const { key, line, results } of readRows(db, id, `state = 'done'`))
    yield { key, line, results: results ?? {} };
}
