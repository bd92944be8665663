/// <reference types="node" />
import type { ConnectionOptions } from 'node:tls';
import type { Client } from '../client.ts';
import type { ClientOptions, Logger } from '../core/options.ts';

/** A value that JSON preserves. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A row of a source. */
export interface SourceRow<Values = unknown> {
  /** Identifies the row permanently within the job, such as a customer number. */
  key: string;
  /** Line of the source, which problem reports name. */
  line: number;
  /** What the steps send: plain data that JSON preserves. */
  values: Values;
  /** Why the row cannot be sent. It is then refused from the start, with this reason. */
  problem?: string | undefined;
}

/** The rows of a job. A file, for example. */
export interface Source<Values = unknown> {
  /** Identifies the content. A job whose source has another checksum than at its first run is rejected. */
  checksum(): Promise<string>;
  /** The rows in order. What it throws rejects the plan, and nothing is planned. */
  rows(): AsyncIterable<SourceRow<Values>> | Iterable<SourceRow<Values>>;
}

/** What `source` receives beside the options of the job. */
export interface SourceContext {
  /** The client of the jobs, with its retries: a source only reads. */
  readonly api: Client;
}

/** What the functions of a step receive beside the values of the row. */
export interface StepContext<Options = unknown> {
  /** The client of the jobs. It does not retry: the engine does. Each of its requests counts towards the quotas. */
  readonly api: Client;
  /** Options of the job, as they were given to `plan`. */
  readonly options: Options;
  /** Key of the row. */
  readonly key: string;
  /** Line of the row in the source. */
  readonly line: number;
  /** A UUID derived from job, row and step: the same on every machine and in every run. */
  readonly marker: string;
  /** Results of the earlier steps of the row, by name: `phone 1`, `phone 2` for a step that has `each`. */
  readonly results: Readonly<Record<string, Json>>;
  /** Index of the item, for a step that has `each`; else 0. */
  readonly index: number;
  /** Aborted when the deadline of the request passes. Pass it to the calls. */
  readonly signal: AbortSignal;
}

/** One request for each row. */
export interface JobStep<Values = unknown, Options = unknown> {
  /** Name of the step, unique within the job. */
  name: string;
  /**
   * Whether the step concerns this row. Without it, it concerns all.
   *
   * @param values - values of the row
   */
  applies?(values: Values): boolean;
  /**
   * Repeats the step for each item of the row, such as its phones: as steps of their own, named `phone 1`, `phone 2`. The context
   * has the index of the item.
   *
   * @param values - values of the row
   * @returns the items, always in the same order
   */
  each?(values: Values): readonly unknown[];
  /**
   * Sends the one request that creates, changes or sends something. Requests that only read may precede it.
   *
   * @param values - values of the row
   * @param context - client, marker and results of earlier steps
   * @returns ID of what was created, or other data for later steps
   */
  send(values: Values, context: StepContext<Options>): PromiseLike<Json>;
  /**
   * Looks for what a request created whose reply was lost. Without it, the row becomes `unknown`.
   *
   * @param values - values of the row
   * @param context - client, marker and results of earlier steps
   * @returns the result of the step, or `undefined` only if nothing was created for certain: `send` is then called again
   * @throws `LookupUnclearError` if the lookup does not show which: the row becomes `unknown`
   */
  find?(values: Values, context: StepContext<Options>): PromiseLike<Json | undefined>;
  /**
   * The request has the same effect if it is sent twice, such as one that only reads. After a lost reply it is sent again.
   * @default false
   */
  repeatable?: boolean;
  /**
   * What has the documented quota of the operation, if it is not the account: the ID of a website, for example.
   *
   * @param values - values of the row
   */
  quotaOf?(values: Values): string | number;
}

/** What a completed row keeps: its key and line only, also the results of its steps, or also its values. */
export type Keep = 'nothing' | 'results' | 'everything';

/** A kind of job: where its rows come from, and what is sent for each. Every program of the job needs the same definition. */
export interface JobDefinition<Values = unknown, Options = unknown> {
  /** Name: letters, digits, `-` and `_`. */
  name: string;
  /** Increase it when the steps change. A job that another version planned is rejected. */
  version: number;
  /**
   * Opens the source. Only `plan` calls it.
   *
   * @param options - options of the job
   * @param context - the client
   */
  source(options: Options, context: SourceContext): Source<Values> | PromiseLike<Source<Values>>;
  /** What is sent for each row, in this order. */
  steps: readonly JobStep<Values, Options>[];
  /**
   * Deadline of a request in milliseconds. A request without a reply is looked up when it has passed since the request was sent.
   * @default 60_000
   */
  deadline?: number | undefined;
  /**
   * Highest number of rows in flight over all machines.
   * @default no limit beside the concurrency of each worker
   */
  concurrency?: number | undefined;
  /**
   * Highest number of requests per second over all machines, evenly spaced.
   * @default no limit
   */
  rate?: number | undefined;
  /**
   * What completed rows keep in the database.
   * @default 'nothing'
   */
  keep?: Keep | undefined;
}

/** State of a row. `sent`: the request left, and its outcome is not known yet. */
export type RowState = 'planned' | 'sent' | 'done' | 'refused' | 'unknown';

/** State of a job. A finished job has no row that is planned or sent. */
export type JobState = 'running' | 'paused' | 'cancelled' | 'finished';

/** Progress of a job. */
export interface JobStatus {
  /** Name of the job. */
  name: string;
  /** Name of its definition. */
  definition: string;
  /** Version of its definition. */
  version: number;
  /** Its options, as they were given to `plan`. */
  options: unknown;
  /** State of the job. */
  state: JobState;
  /** Why the engine paused the job, such as a key that the service refuses. */
  reason?: string;
  /** Number of workers of the database that are connected, for any job. */
  workers: number;
  /** Number of rows. */
  total: number;
  /** Number of rows in each state. */
  rows: Record<RowState, number>;
  /** When the job was planned. */
  plannedAt: Date;
  /** When it was finished or cancelled. */
  endedAt?: Date;
  /** Until when all requests wait, because of a quota or a 429. */
  waitingUntil?: Date;
}

/** A row that a person should look at. */
export interface Problem {
  /** Key of the row. */
  key: string;
  /** Line in the source. */
  line: number;
  /** `refused`: nothing was done in this step. `unknown`: the request may have been processed. */
  state: 'refused' | 'unknown';
  /** Name of the step; `undefined` if the source refused the row. */
  step?: string;
  /** One sentence: the reason of the service, or why the outcome is not known. */
  reason: string;
  /** Error code of the service, if there is one. */
  code?: string;
  /** When the request was sent, if it was. */
  sentAt?: Date;
  /** Marker of the step, if there is one: the service shows it if it stored it. */
  marker?: string;
  /** Values of the row, to repair them. */
  values: unknown;
  /** Results of the earlier steps, such as the ID of the contact. */
  results: Record<string, Json>;
}

/** A completed row. */
export interface CompletedRow {
  /** Key of the row. */
  key: string;
  /** Line in the source. */
  line: number;
  /** Results of its steps by name, if the job keeps them. */
  results: Record<string, Json>;
}

/** Options of {@link Jobs.plan}. */
export interface PlanOptions<Options> {
  /**
   * Name of the job, unique in the database.
   * @default name of the definition
   */
  name?: string | undefined;
  /** Options for the definition, which the database keeps for all workers: plain data without secrets. */
  options: Options;
  /**
   * Highest number of rows in flight over all machines.
   * @default that of the definition
   */
  concurrency?: number | undefined;
  /**
   * Highest number of requests per second over all machines.
   * @default that of the definition
   */
  rate?: number | undefined;
}

/** Options of {@link Jobs.work}. */
export interface WorkOptions {
  /** Ends the work: requests in flight are awaited, and nothing more is sent. */
  signal?: AbortSignal | undefined;
  /**
   * Highest number of rows in flight in this process, in total.
   * @default 10
   */
  concurrency?: number | undefined;
  /** Returns when this job is finished, paused or cancelled. Without it, `work` waits for new jobs until `signal` is aborted. */
  until?: string | undefined;
}

/** Rows as they are decided by a person. */
export interface Decision {
  /** `not done`: the step is sent (again). `done`: it was processed, and the next step follows. */
  outcome: 'done' | 'not done';
  /** Result of the step if it was processed, such as the ID of the contact. */
  result?: Json;
}

/** Jobs in one database. */
export interface Jobs {
  /**
   * Plans a job: stores its rows, all or none. A job that exists already is not planned again.
   *
   * @throws `JobsError` if a job of this name has another definition, version, checksum or options
   */
  plan<Values, Options>(job: JobDefinition<Values, Options>, options: PlanOptions<Options>): Promise<JobStatus>;
  /** Works on the jobs of the database whose definitions were given to `openJobs`. Many machines can do so at once. */
  work(options?: WorkOptions): Promise<void>;
  /** Progress of a job. */
  status(name: string): Promise<JobStatus>;
  /** Progress of all jobs, the newest first. */
  list(): Promise<JobStatus[]>;
  /** Stops sending after the requests in flight, on all machines. */
  pause(name: string): Promise<JobStatus>;
  /** Continues a job that was paused. */
  resume(name: string): Promise<JobStatus>;
  /** Ends a job: on every machine, no request leaves after those in flight. */
  cancel(name: string): Promise<JobStatus>;
  /** The rows that are refused or unknown, by line. */
  problems(name: string): AsyncIterable<Problem>;
  /** The completed rows, by line. */
  results(name: string): AsyncIterable<CompletedRow>;
  /**
   * Plans refused rows again, from the step that was refused, with corrected values. Rows are identified by their keys.
   *
   * @returns number of rows that are planned again
   * @throws `JobsError` if a row of the source is not a refused row of the job; nothing is planned then
   */
  repair(name: string, source: Source): Promise<number>;
  /**
   * Records what a person found out about an unknown row.
   *
   * @throws `JobsError` if there is no such unknown row
   */
  decide(name: string, key: string, decision: Decision): Promise<void>;
  /**
   * Removes personal data: the values, results and reasons of one row, or of all rows of a job that has ended.
   *
   * @returns number of rows
   */
  forget(name: string, key?: string): Promise<number>;
  /** Removes a job that has ended, with all its rows. */
  remove(name: string): Promise<void>;
  /** Closes the connections. Call it after `work` has returned. */
  close(): Promise<void>;
}

/** Where the database is. What is missing is read from the variables of libpq, such as `PGHOST` and `PGPASSWORD`. */
export interface DatabaseSettings {
  /** Such as `postgres://user@host:5432/name`. Use a direct connection, or a pooler in session mode. */
  connectionString?: string | undefined;
  /** Host, or folder of the socket. */
  host?: string | undefined;
  /** Port. */
  port?: number | undefined;
  /** Name of the database. */
  database?: string | undefined;
  /** User. */
  user?: string | undefined;
  /** Password. */
  password?: string | undefined;
  /** `true`, or options of Node's TLS. */
  ssl?: boolean | ConnectionOptions | undefined;
}

/** Options of `openJobs`. */
export interface JobsOptions {
  /** Address of the database, or its settings. */
  database: string | DatabaseSettings;
  /** The definitions that this program knows. It works only on their jobs. */
  definitions: readonly JobDefinition[];
  /** Options of the client. `timeout` and `maxRetries` have no effect: the definition of a job has a deadline, and the engine retries. */
  client: ClientOptions;
  /**
   * Name of the service's account. Jobs of the same account share its quotas, and workers take only jobs of their own account.
   * @default 'default'
   */
  account?: string | undefined;
  /**
   * Schema for the tables. pg-boss has its own, with `_queue` added to this name.
   * @default 'carillon_jobs'
   */
  schema?: string | undefined;
  /**
   * Clock of quotas and rates in milliseconds since 1970, for tests. All programs need the same.
   * @default clock of the database
   */
  now?: (() => number) | undefined;
  /**
   * Receives warnings that end no work: the database is lost, a job has another version.
   * @default console
   */
  logger?: Logger | undefined;
}
