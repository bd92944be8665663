import type { JobState, Json, PlanSummary } from '../types.ts';
import { toStorableString } from './storable.ts';

/**
 * State of a row in a store. `claimed`: a worker may be sending it. `doubt`: its request may have been processed, and it waits for a lookup.
 */
export type StoredState = 'planned' | 'claimed' | 'doubt' | 'done' | 'rejected' | 'invalid' | 'unknown';

/** A job to plan. All times are milliseconds since 1970 by the clock of the store. */
export interface NewJob {
  readonly name: string;
  /** Seed of the markers of its rows, unique over all stores. */
  readonly seed: string;
  readonly account: string;
  readonly service: string;
  /** Account, service, definition and version, which a worker must have in common with it. */
  readonly queue: string;
  readonly definition: string;
  readonly version: number;
  readonly steps: readonly string[];
  readonly checksum: string;
  readonly options: unknown;
  /** Milliseconds: deadline of a request, and time after a claim from which its request can no longer be processed. */
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
  /** Only its own plan sees a job that is being planned. */
  readonly state: JobState | 'planning';
  readonly reason: string | null;
  readonly total: number;
  readonly plan: PlanSummary | null;
  readonly plannedAt: number;
  readonly endedAt: number | null;
  /** Next turn of its rate. */
  readonly nextAt: number;
  /** Number of claims. It only grows, so a smaller one than a machine has seen shows that the data went back. */
  readonly marks: number;
  /** Where the job may run, and since when its sent rows are not known. */
  readonly place: string;
  readonly wentBackAt: number | null;
  readonly forgottenAt: number | null;
  /** When the list of those who do not want what it sends was last read, and until when a worker is reading it. */
  readonly checkedAt: number | null;
  readonly checkingUntil: number | null;
  /** When rows of it were last repaired. */
  readonly repairedAt: number | null;
}

export interface StoredRow {
  readonly job: number;
  /** Its place in the source. */
  readonly number: number;
  readonly line: number;
  readonly key: string;
  readonly state: StoredState;
  /** Grows with each claim and each change by a person. Only an outcome of the current attempt counts. */
  readonly attempt: number;
  /** The worker that claimed it, which also stays after the claim. */
  readonly worker: number | null;
  /** When it was claimed, or when its claim was last confirmed. */
  readonly sentAt: number | null;
  /** In doubt: when it may be looked up. Otherwise: when it ended. */
  readonly at: number | null;
  /** Step of its reason. In doubt: the step to look up, or `null` if each one that has no result is to be looked up. */
  readonly step: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  readonly values: Json;
  readonly results: Readonly<Record<string, Json>> | null;
}

const jobKeys: Record<keyof StoredJob, true> = {
  ...{ id: true, name: true, seed: true, account: true, service: true, queue: true, definition: true, version: true },
  ...{ steps: true, checksum: true, options: true, deadline: true, lookupAfter: true, concurrency: true, rate: true },
  ...{ priority: true, state: true, reason: true, total: true, plan: true, plannedAt: true, startAt: true },
  ...{ endedAt: true, nextAt: true, marks: true, place: true, wentBackAt: true },
  ...{ retention: true, forgottenAt: true, checkedAt: true, checkingUntil: true, repairedAt: true },
};
const rowKeys: Record<keyof StoredRow, true> = {
  ...{ job: true, number: true, line: true, key: true, state: true, attempt: true, worker: true, sentAt: true },
  ...{ at: true, step: true, code: true, reason: true, values: true, results: true },
};
const jsonKeys = ['steps', 'options', 'plan', 'values', 'results', 'queues'];

/** Column of a key: `lookupAfter` is in `"lookup_after"`. */
export function columnOf(key: string): string {
  return `"${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
}

function selectOf(keys: object, alias: string): string {
  return Object.keys(keys)
    .map((key) => `${alias}${columnOf(key)} AS "${key}"`)
    .join(', ');
}

/** SQL lists of all columns, under the names of the interfaces. */
export const columns = { job: selectOf(jobKeys, 'j.'), row: selectOf(rowKeys, '') };

/** Converts a row of a statement, in which JSON is a string. */
export function readColumns<Found>(found: Readonly<Record<string, unknown>>): Found {
  const read: Record<string, unknown> = { ...found };
  for (const key of jsonKeys) {
    const text = read[key];
    if (typeof text === 'string') read[key] = JSON.parse(text);
  }
  return read as Found;
}

/** Converts a value for a column. */
export function toColumn(key: string, value: unknown): string | number | null {
  if (key === 'options') return JSON.stringify(value ?? null);
  if (value === undefined || value === null) return null;
  if (jsonKeys.includes(key)) return JSON.stringify(value);
  // A reason comes from a service, and Postgres may reject its characters.
  return typeof value === 'number' ? value : toStorableString(String(value));
}

/** Differences of the two databases in what the tables say. */
export interface TableDialect {
  /** Prefix of the names of tables, such as `carillon_jobs.`. */
  readonly prefix: string;
  /** Type of an ID that grows. */
  readonly identity: string;
  /** Options of the table of rows. */
  readonly rowOptions: string;
}

/** Statements that create the tables. JSON is in text columns, so that each value reads back as it was written. */
export function createTables({ prefix, identity, rowOptions }: TableDialect): string {
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
