/// <reference types="node" />
import { hash, randomUUID } from 'node:crypto';
import type { Json } from '../types.ts';
import type { Database } from './database.ts';

/** Seconds without progress after which another worker may read the lists. */
const silenceSeconds = 60;

type Tables = Pick<Database, 'pool' | 'schema'>;

/** How current the knowledge of a job is about who does not want what it sends. */
export interface Currency {
  /** Milliseconds until the lists have to be read again. Not above 0 if that is due. */
  readonly validFor: number;
  /** Whether the lists were read since the job was planned. */
  readonly hasList: boolean;
}

export async function readCurrency({ pool, schema }: Tables, job: string): Promise<Currency> {
  const { rows } = await pool.query<Currency>(
    `SELECT recheck_after - (extract(epoch FROM clock_timestamp() - coalesce(checked_at, planned_at)) * 1000)::float8 AS "validFor",
      list IS NOT NULL AS "hasList" FROM ${schema}.jobs WHERE id = $1`,
    [job],
  );
  return rows[0] ?? { validFor: Number.POSITIVE_INFINITY, hasList: false };
}

/** A pass over the lists, which one worker does for all. */
export interface Pass {
  readonly job: string;
  readonly list: string;
  readonly begunAt: Date;
}

/** Begins a pass, unless another worker does one. */
export async function beginPass({ pool, schema }: Tables, job: string): Promise<Pass | undefined> {
  const { rows } = await pool.query<{ begunAt: Date }>(
    `UPDATE ${schema}.jobs SET checking_until = clock_timestamp() + interval '${silenceSeconds} seconds'
    WHERE id = $1 AND state = 'running' AND (checking_until IS NULL OR checking_until < clock_timestamp())
      AND clock_timestamp() >= coalesce(checked_at, planned_at) + recheck_after * interval '1 millisecond'
    RETURNING clock_timestamp() AS "begunAt"`,
    [job],
  );
  return rows[0] && { job, list: randomUUID(), begunAt: rows[0].begunAt };
}

/** Adds people to the list of a pass. Stores only hashes. */
export async function addPeople(
  { pool, schema }: Tables,
  { job, list }: Pass,
  people: readonly string[],
): Promise<void> {
  await pool.query(
    `WITH lives AS (
      UPDATE ${schema}.jobs SET checking_until = clock_timestamp() + interval '${silenceSeconds} seconds' WHERE id = $1
    ) INSERT INTO ${schema}.opt_outs (job, list, id) SELECT $1, $2, unnest($3::uuid[]) ON CONFLICT DO NOTHING`,
    [job, list, people.map(idOf)],
  );
}

/** Ends a pass. Its list counts from now on, or is removed if the pass failed. */
export async function endPass(
  { pool, schema }: Tables,
  { job, list, begunAt }: Pass,
  isComplete: boolean,
): Promise<void> {
  await pool.query(
    `WITH job AS (
      UPDATE ${schema}.jobs SET checking_until = NULL, list = CASE WHEN $3 THEN $2 ELSE list END,
        checked_at = CASE WHEN $3 THEN $4 ELSE checked_at END
      WHERE id = $1
    ) DELETE FROM ${schema}.opt_outs WHERE job = $1 AND (list = $2) <> $3`,
    [job, list, isComplete, begunAt],
  );
}

/** Finds those of some people who are on the current list of a job. */
export async function findOptOuts(
  { pool, schema }: Tables,
  job: string,
  people: readonly string[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT o.id FROM ${schema}.opt_outs o JOIN ${schema}.jobs j ON j.id = o.job AND j.list = o.list
    WHERE o.job = $1 AND o.id = ANY ($2::uuid[])`,
    [job, people.map(idOf)],
  );
  const found = new Set(rows.map(({ id }) => id.replaceAll('-', '')));
  return new Set(people.filter((person) => found.has(idOf(person))));
}

/** A row without some of its people. */
export interface Reduced {
  readonly job: string;
  readonly number: number;
  readonly attempt: number;
  /** Its values for the remaining people. `null` if all were left out. */
  readonly kept: Json | null;
  /** One refused row for each person who was left out. Their first reason is that of the row if nothing is left. */
  readonly leftOut: readonly { key: string; reason: string; values: Json }[];
}

/** Takes people out of planned rows, each in one statement, and lists them as refused rows. A row that has changed stays. */
export async function leaveOut({ pool, schema }: Tables, rows: readonly Reduced[]): Promise<void> {
  for (const { job, number, attempt, kept, leftOut } of rows) {
    await pool.query(`SELECT ${schema}.leave_out($1, $2, $3, $4::jsonb, $5::jsonb)`, [
      job,
      number,
      attempt,
      kept === null ? null : JSON.stringify(kept),
      JSON.stringify(leftOut),
    ]);
  }
}

function idOf(person: string): string {
  return hash('sha256', person).slice(0, 32);
}
