import type { Client, ClientBase } from 'pg';
import type { Json, RowState } from '../types.ts';
import type { Database } from './database.ts';
import { chunkSize } from './sizes.ts';

/** A row of the journal. */
export interface Row {
  readonly job: string;
  readonly number: number;
  readonly key: string;
  readonly line: number;
  readonly state: RowState;
  /** Increases whenever a worker takes the row. Only the current attempt in the journal may write an outcome. */
  readonly attempt: number;
  /** The worker that holds the row. */
  readonly worker: number | null;
  readonly sentAt: Date | null;
  /** Whether a failover may have lost the marks of its next steps. */
  readonly isSuspect: boolean;
  /** Reason for the state. */
  readonly reason: string | null;
  readonly values: Json;
  /** Results of the steps that are done, by name. */
  readonly results: Record<string, Json> | null;
}

const rowColumns = `job::text, number, key, line, state, attempt, worker, sent_at AS "sentAt", is_suspect AS "isSuspect", reason, "values", results`;

/** A row that a worker wants to send. */
export interface Mark {
  readonly job: string;
  readonly number: number;
  readonly attempt: number;
  /** Whether its job has a limit of rows in flight, as far as the worker knows. */
  readonly isCounted?: boolean;
}

/** State of the journal after the mark. */
export interface Marked {
  /** The new attempt, if the journal now shows the row as sent by this worker. */
  readonly attempt: number | null;
  /** State of the job, or `null` if it was removed. */
  readonly jobState: string | null;
  /** Remaining wait of the account or the job, in milliseconds. */
  readonly wait: number | null;
  /** Whether the limit of rows in flight is reached. */
  readonly isFull: boolean;
}

/** Outcome of an attempt. `sent` means that the reply was lost, and any worker may look the row up later. */
export interface Outcome extends Mark {
  /** Seed of the job. */
  readonly seed: string;
  /** The worker that holds the attempt. */
  readonly worker: number;
  readonly state: RowState;
  /** Results of the steps that are done, by name. `null` removes them if the row is done, and otherwise changes nothing. */
  readonly results: Record<string, Json> | null;
  /** Name of the step that the reason applies to. */
  readonly step?: string | undefined;
  readonly reason?: string | undefined;
  readonly code?: string | undefined;
  /** Whether to remove the values of the row. */
  readonly forgetValues?: boolean;
  /** Whether the request may have been sent only now, so that the time until a lookup starts again. */
  readonly isLate?: boolean;
  /** Whether the row is no longer suspect. */
  readonly isClear?: boolean;
  /** Name of the step in the definition that was tried. */
  readonly kind?: string;
  /** Whether the request of this kind had a sure outcome. Absent if none left. */
  readonly isAnswered?: boolean;
  /** Problem of the service at this request, such as `the service at api.example.com cannot be reached`. */
  readonly failure?: string;
}

/** A row of a chunk, and the time since it was sent in milliseconds. */
export type AgedRow = Row & { readonly age: number | null };

/** Reads the rows of a chunk that must be sent or looked up. */
export async function readChunk(
  { pool, schema }: Pick<Database, 'pool' | 'schema'>,
  job: string,
  chunk: number,
  states: readonly RowState[],
): Promise<AgedRow[]> {
  // The chunk is now being worked on, so its counts are not valid any more.
  const { rows } = await pool.query<AgedRow>(
    `WITH uncounted AS (DELETE FROM ${schema}.counts WHERE job = $1 AND chunk = $5)
    SELECT ${rowColumns}, extract(epoch FROM clock_timestamp() - sent_at)::float8 * 1000 AS age FROM ${schema}.rows
    WHERE job = $1 AND number >= $2 AND number < $3 AND state = ANY ($4) ORDER BY number`,
    [job, chunk * chunkSize, (chunk + 1) * chunkSize, states, chunk],
  );
  return rows;
}

/** A position up to which the log of the database is on its disk, with the time of the database. */
export interface LogPosition {
  readonly position: string;
  readonly at: string;
}

/** SQL columns of a `LogPosition`. */
export const logPosition = 'pg_current_wal_flush_lsn()::text AS position, clock_timestamp()::text AS at';

/** Confirms, in the session of the worker, that it still holds an attempt, and resets the time of sending. */
export async function confirmMark(client: Client, schema: string, mark: Mark, worker: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE ${schema}.rows SET sent_at = clock_timestamp()
    WHERE job = $1 AND number = $2 AND attempt = $3 AND worker = $4 AND state = 'sent'`,
    [mark.job, mark.number, mark.attempt, worker],
  );
  return rowCount === 1;
}

/** A row that was sent, and the name of the step in the definition. */
export interface DueRow {
  readonly number: number;
  readonly kind: string | undefined;
}

/**
 * Takes over sent rows without an outcome when their requests can no longer be processed. These are rows that no worker holds, or
 * whose worker's session has ended: each request without an outcome then counts as lost. Returns the rows that this worker now holds.
 */
export async function takeOver(
  client: Client,
  schema: string,
  { job, rows: due, worker }: { job: string; rows: readonly DueRow[]; worker: number },
): Promise<Row[]> {
  const { rows } = await client.query<Row>(`SELECT ${rowColumns} FROM ${schema}.take_over($1, $2, $3, $4)`, [
    job,
    due.map(({ number }) => number),
    due.map(({ kind }) => kind ?? null),
    worker,
  ]);
  return rows;
}

/** Closes a chunk if it has no open rows, and ends a job if it has no chunks left. Returns whether the chunk is closed. */
export async function closeChunk(
  { pool, schema }: Pick<Database, 'pool' | 'schema'>,
  job: string,
  chunk: number,
): Promise<boolean> {
  const { rows } = await pool.query<{ closed: boolean }>(`SELECT ${schema}.close_chunk($1, $2) AS closed`, [
    job,
    chunk,
  ]);
  return rows[0]?.closed === true;
}

/** A worker that was silent without having signed off. */
export interface SilentWorker {
  readonly host: string;
  readonly process: number;
  /** Seconds since its last sign of life. */
  readonly silent: number;
  /** Whether its session was ended. The database user may lack the permission. */
  readonly isEnded: boolean;
}

/** Ends the sessions of silent workers. */
export async function endSilent(
  client: Pick<ClientBase, 'query'>,
  schema: string,
  seconds: number,
): Promise<SilentWorker[]> {
  const { rows } = await client.query<SilentWorker>(
    `SELECT host, process, silent, is_ended AS "isEnded" FROM ${schema}.end_silent($1)`,
    [seconds],
  );
  return rows;
}

/** SQL for the time of quotas and rates: the database's clock, or a test's. Safe to embed in statements, because it is a number. */
export function timeAsSql(now: (() => number) | undefined): string {
  return now ? `to_timestamp(${Number(now()) / 1_000})` : 'clock_timestamp()';
}
