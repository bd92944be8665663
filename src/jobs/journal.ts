import type { Client } from 'pg';
import { toJsonb } from './to-jsonb.ts';
import type { Json, RowState } from './types.ts';

/** A row of the journal. */
export interface Row {
  readonly job: string;
  readonly number: number;
  readonly key: string;
  readonly line: number;
  readonly state: RowState;
  /** Increases whenever a worker takes the row. Only the attempt that the journal shows may write an outcome. */
  readonly attempt: number;
  /** The worker that sent the row. */
  readonly worker: number | null;
  readonly sentAt: Date | null;
  readonly values: Json;
  /** Results of the steps that are done, by name. */
  readonly results: Record<string, Json> | null;
}

/** The columns of a row, for `SELECT`. */
export const rowColumns = `job::text, number, key, line, state, attempt, worker, sent_at AS "sentAt", "values", results`;

/** A row that a worker wants to send. */
export interface Mark {
  readonly job: string;
  readonly number: number;
  readonly attempt: number;
}

/** The journal after the mark. */
export interface Marked {
  /** The new attempt, if the journal now shows the row as sent by this worker. */
  readonly attempt: number | null;
  /** State of the job. */
  readonly jobState: string | null;
  /** Until when the account waits after a 429. */
  readonly waitUntil: Date | null;
}

/** An outcome of an attempt. `sent`: the reply was lost, and any worker may look the row up after its deadline. */
export interface Outcome extends Mark {
  /** The worker that holds the attempt. */
  readonly worker: number;
  readonly state: RowState;
  /** Results of the steps that are done, by name; `null` removes them. */
  readonly results: Record<string, Json> | null;
  /** Name of the step that has a reason. */
  readonly step?: string | undefined;
  readonly reason?: string | undefined;
  readonly code?: string | undefined;
  /** Removes the values of the row. */
  readonly forgetValues?: boolean;
  /** The request may have left only now: the deadline starts again. */
  readonly isLate?: boolean;
}

/**
 * Marks rows as sent: the commit that precedes every request. The worker's own session runs it, so it cannot succeed for a worker
 * whose lock is gone. A row that another worker changed meanwhile has another attempt, and is not marked.
 *
 * @param now - SQL for the time
 */
export async function markSent(
  client: Client,
  schema: string,
  { worker, marks, now }: { worker: number; marks: readonly Mark[]; now: string },
): Promise<Marked[]> {
  const { rows } = await client.query<Marked>(
    `WITH want AS MATERIALIZED (
      SELECT w.*, j.state AS job_state, p.until
      FROM unnest($1::bigint[], $2::int[], $3::int[]) WITH ORDINALITY AS w (job, number, attempt, place)
      LEFT JOIN ${schema}.jobs j ON j.id = w.job
      LEFT JOIN ${schema}.waits p ON p.name = 'account ' || j.account AND p.until > ${now}
    ), marked AS (
      UPDATE ${schema}.rows r SET state = 'sent', worker = $4, sender = $4, attempt = r.attempt + 1, sent_at = clock_timestamp()
      FROM want
      WHERE r.job = want.job AND r.number = want.number AND r.attempt = want.attempt AND r.state = 'planned'
        AND want.job_state = 'running' AND want.until IS NULL
      RETURNING r.job, r.number, r.attempt
    )
    SELECT m.attempt, want.job_state AS "jobState", want.until AS "waitUntil"
    FROM want LEFT JOIN marked m ON m.job = want.job AND m.number = want.number
    ORDER BY want.place`,
    [marks.map(({ job }) => job), marks.map(({ number }) => number), marks.map(({ attempt }) => attempt), worker],
  );
  return rows;
}

/**
 * Writes outcomes. Each counts only if the journal still shows its attempt as sent by its worker.
 *
 * @returns the outcomes that do not count
 */
export async function settle(
  client: Pick<Client, 'query'>,
  schema: string,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  const written = await write(client, schema, outcomes, {
    where: `r.attempt = g.attempt AND r.worker = g.worker AND r.state = 'sent'`,
    attempt: 'r.attempt',
  });
  return outcomes.filter((outcome) => !written.includes(outcome));
}

/**
 * Writes certain outcomes that came after another worker had taken the rows over, because the sender had lost its session. They
 * replace `unknown`, and end a lookup. Once a row is planned again, they count no more.
 *
 * @returns the outcomes that count
 */
export async function settleLate(
  client: Pick<Client, 'query'>,
  schema: string,
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  return write(client, schema, outcomes, {
    where: `r.attempt > g.attempt AND r.sender = g.worker AND r.state IN ('sent', 'unknown')`,
    // The outcome of the lookup does not count then.
    attempt: 'r.attempt + 1',
  });
}

async function write(
  client: Pick<Client, 'query'>,
  schema: string,
  outcomes: readonly Outcome[],
  { where, attempt }: { where: string; attempt: string },
): Promise<Outcome[]> {
  const query = {
    text: `UPDATE ${schema}.rows r SET state = g.state, step = g.step, reason = g.reason, code = g.code, results = g.results,
      attempt = ${attempt}, worker = CASE WHEN g.state = 'sent' THEN NULL ELSE g.worker END,
      "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END,
      sent_at = CASE WHEN g."isLate" THEN clock_timestamp() ELSE r.sent_at END
    FROM jsonb_to_recordset($1::jsonb) AS g (
      place int, job bigint, number int, attempt int, worker int, state text, results jsonb, step text, reason text, code text,
      "forgetValues" boolean, "isLate" boolean
    )
    WHERE r.job = g.job AND r.number = g.number AND ${where} RETURNING g.place`,
    values: [toJsonb(outcomes.map((outcome, place) => ({ ...outcome, place })))],
    // Milliseconds. Then another connection tries again.
    query_timeout: 30_000,
  };
  const { rows } = await client.query<{ place: number }>(query);
  const places = new Set(rows.map(({ place }) => place));
  return outcomes.filter((_, place) => places.has(place));
}

/**
 * Takes over rows that were sent and have no outcome, once their deadline has passed: those that no worker holds, and those of
 * workers whose sessions have ended. Returns the rows that this worker now holds.
 */
export async function takeOver(
  client: Client,
  schema: string,
  { job, numbers, worker, deadline }: { job: string; numbers: readonly number[]; worker: number; deadline: number },
): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `UPDATE ${schema}.rows SET worker = $3, attempt = attempt + 1
    WHERE job = $1 AND number = ANY ($2::int[]) AND state = 'sent'
      AND sent_at < clock_timestamp() - $4 * interval '1 millisecond'
      AND CASE WHEN worker IS NULL OR worker = $3 THEN true ELSE ${schema}.is_gone(worker) END
    RETURNING ${rowColumns}`,
    [job, numbers, worker, deadline],
  );
  return rows;
}

/** Confirms, in the session of the worker, that it still holds an attempt, and starts its deadline again. */
export async function confirm(client: Client, schema: string, mark: Mark, worker: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE ${schema}.rows SET sent_at = clock_timestamp()
    WHERE job = $1 AND number = $2 AND attempt = $3 AND worker = $4 AND state = 'sent'`,
    [mark.job, mark.number, mark.attempt, worker],
  );
  return rowCount === 1;
}
