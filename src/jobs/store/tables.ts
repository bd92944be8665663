import type { JobState, Json, PlanSummary } from '../types.ts';
import type { Dialect } from './sql.ts';
import { toStorableString } from './storable.ts';

/**
 * State of a row in a store. `claimed`: a worker may be sending the row. `doubt`: the request may have been processed, and the row
 * waits for a lookup.
 */
export type StoredState = 'planned' | 'claimed' | 'doubt' | 'done' | 'rejected' | 'invalid' | 'unknown';

/** A job to plan. All times are milliseconds since 1970 by the clock of the store. */
export interface NewJob {
  readonly name: string;
  /** Seed for the markers of the rows, unique across all stores. */
  readonly seed: string;
  readonly account: string;
  readonly service: string;
  /** Account, service, definition and version, which a worker must have in common with the job. */
  readonly queue: string;
  readonly definition: string;
  readonly version: number;
  readonly steps: readonly string[];
  readonly checksum: string;
  readonly options: unknown;
  /**
   * `deadline`: deadline of a request in milliseconds. `lookupAfter`: milliseconds after a claim from which its request can no longer
   * be processed.
   */
  readonly deadline: number;
  readonly lookupAfter: number;
  readonly concurrency: number | null;
  readonly rate: number | null;
  readonly priority: number;
  readonly startAt: number | null;
  readonly retention: number | null;
}

export interface StoredJob extends NewJob {
  readonly id: number;
  /** State of the job. A job in the state `planning` is visible only to the process that plans it. */
  readonly state: JobState | 'planning';
  readonly reason: string | null;
  readonly total: number;
  readonly plan: PlanSummary | null;
  readonly plannedAt: number;
  readonly endedAt: number | null;
  /** Time of the next turn, according to the rate of the job. */
  readonly nextAt: number;
  /**
   * Number of claims. This number only grows. If it is smaller than a number that a machine has seen, the data was reset to an earlier
   * state.
   */
  readonly marks: number;
  /**
   * `place`: where the job may run. `wentBackAt`: when a worker noticed that the data was reset, so that it is not known which rows
   * were sent.
   */
  readonly place: string;
  readonly wentBackAt: number | null;
  readonly forgottenAt: number | null;
  /**
   * `checkedAt`: when the opt-out list was last read. `checkingUntil`: time until which the list is reserved for the worker that is
   * reading it.
   */
  readonly checkedAt: number | null;
  readonly checkingUntil: number | null;
  /** When rows of the job were last repaired. */
  readonly repairedAt: number | null;
}

export interface StoredRow {
  readonly job: number;
  /** Position of the row in the source. */
  readonly number: number;
  readonly line: number;
  readonly key: string;
  readonly state: StoredState;
  /** Grows with each claim and each change by a person. Only an outcome of the current attempt counts. */
  readonly attempt: number;
  /** Worker that last claimed the row. The number stays after the claim has ended. */
  readonly worker: number | null;
  /** When the row was claimed, or when the claim was last confirmed. */
  readonly sentAt: number | null;
  /** For a row in doubt: when the row may be looked up. Otherwise: when the row ended. */
  readonly at: number | null;
  /** Step to which the reason refers. For a row in doubt: the step to look up, or `null` for every step without a result. */
  readonly step: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  readonly values: Json;
  readonly results: Readonly<Record<string, Json>> | null;
}

const jsonKeys = ['steps', 'options', 'plan', 'values', 'results', 'queues'];

/** Returns the column for a key, such as `"lookup_after"` for `lookupAfter`. */
export function columnOf(key: string): string {
  return `"${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
}

/** Keys by column, because a program reads many rows with the same columns. */
const keys = new Map<string, string>();

/** Returns the key for a column, such as `lookupAfter` for `lookup_after`. */
function keyOf(column: string): string {
  const known = keys.get(column);
  if (known !== undefined) return known;
  const key = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  keys.set(column, key);
  return key;
}

/** Converts a row that a statement returned, in which JSON values are strings. */
export function readColumns<Found>(found: Readonly<Record<string, unknown>>): Found {
  const read: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(found)) {
    const key = keyOf(column);
    read[key] = typeof value === 'string' && jsonKeys.includes(key) ? JSON.parse(value) : value;
  }
  return read as Found;
}

/** Converts a value for a column. */
export function toColumn(key: string, value: unknown): string | number | null {
  if (key === 'options') return JSON.stringify(value ?? null);
  if (value === undefined || value === null) return null;
  if (jsonKeys.includes(key)) return JSON.stringify(value);
  // A reason may come from a service, and Postgres may reject its characters.
  return typeof value === 'number' ? value : toStorableString(String(value));
}

/** Returns the statements that create the tables. JSON is stored in text columns, so that each value is read exactly as it was written. */
export function createTables({ prefix, identity, rowOptions }: Dialect): string {
  return `
    CREATE TABLE ${prefix}jobs (
      id ${identity}, name text NOT NULL UNIQUE, seed text NOT NULL, account text NOT NULL, service text NOT NULL, queue text NOT NULL,
      definition text NOT NULL, version integer NOT NULL, steps text NOT NULL, checksum text NOT NULL, options text NOT NULL,
      deadline integer NOT NULL, lookup_after integer NOT NULL, concurrency integer, rate double precision, priority integer NOT NULL,
      state text NOT NULL, reason text, total integer NOT NULL DEFAULT 0, plan text, planned_at double precision NOT NULL,
      start_at double precision, ended_at double precision, next_at double precision NOT NULL DEFAULT 0,
      marks double precision NOT NULL DEFAULT 0, place text NOT NULL, went_back_at double precision,
      retention double precision, forgotten_at double precision, checked_at double precision, checking_until double precision,
      repaired_at double precision);
    CREATE TABLE ${prefix}rows (
      job integer NOT NULL, number integer NOT NULL, line integer NOT NULL, key text NOT NULL, state text NOT NULL,
      attempt integer NOT NULL DEFAULT 0, worker integer, sent_at double precision, at double precision, step text, code text, reason text,
      "values" text, results text, PRIMARY KEY (job, number)) ${rowOptions};
    CREATE UNIQUE INDEX rows_key ON ${prefix}rows (job, key);
    CREATE INDEX rows_planned ON ${prefix}rows (job, number) WHERE state = 'planned';
    CREATE INDEX rows_doubt ON ${prefix}rows (job, number) WHERE state = 'doubt';
    CREATE INDEX rows_claimed ON ${prefix}rows (job, number) WHERE state = 'claimed';
    CREATE INDEX rows_worker ON ${prefix}rows (worker) WHERE state IN ('claimed', 'doubt', 'unknown');
    CREATE INDEX rows_problem ON ${prefix}rows (job, number) WHERE state IN ('rejected', 'invalid', 'unknown');
    CREATE TABLE ${prefix}workers (
      id integer PRIMARY KEY, host text NOT NULL, process integer NOT NULL, queues text NOT NULL, started_at double precision NOT NULL,
      beat_at double precision NOT NULL);
    -- Waits of accounts, and the slots of documented quotas.
    CREATE TABLE ${prefix}limits (name text NOT NULL, slot integer NOT NULL, until double precision NOT NULL, PRIMARY KEY (name, slot));`;
}
