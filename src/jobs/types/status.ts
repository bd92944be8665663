import type { Json } from './source.ts';

/**
 * State of a row. `sent`: a worker has claimed the row, so its request may have been sent, and the outcome is not yet known.
 * `rejected`: the service or the program rejected the row. `invalid`: the values cannot be sent. `unknown`: the request may have been
 * processed, and a person has to find out whether it was.
 */
export type RowState = 'planned' | 'sent' | 'done' | 'rejected' | 'invalid' | 'unknown';

/** State of a job. A finished job has no planned or sent rows. */
export type JobState = 'running' | 'paused' | 'cancelled' | 'finished';

/** Rows that were sent, but whose outcome is not known because the response was lost or the worker has ended. */
export interface Lookups {
  /** Number of rows. */
  rows: number;
  /** When the last of these rows can be looked up, because its request can no longer be processed. */
  until: Date;
}

/** Counts of the source rows when a job was planned. `rows` is the sum of `planned` and all counts of `leftOut`. */
export interface PlanSummary {
  /** Number of rows in the source. */
  rows: number;
  /** Number of source rows that were planned. */
  planned: number;
  /** Number of source rows that were left out, by the kind of their problem. */
  leftOut: Record<string, number>;
  /** Number of planned rows whose recipient is also in an earlier row. */
  repeated: number;
  /** Names of earlier jobs of the same definition with the same source, the newest first. Empty for jobs that only read. */
  sameSource: string[];
}

/** Progress of a job. */
export interface JobStatus {
  /** Name of the job. */
  name: string;
  /** Name of the job definition. */
  definition: string;
  /** Version of the job definition. */
  version: number;
  /** Options of the job, as passed to `plan`. */
  options: unknown;
  /** State of the job. */
  state: JobState;
  /**
   * Why the job was paused automatically, for example because the service rejects the key; or why its rows wait, for example because
   * the service is down.
   */
  reason?: string;
  /** Deadline of the requests in milliseconds. */
  deadline: number;
  /** Maximum number of rows in flight on all machines. Absent if there is no limit. */
  concurrency?: number;
  /** Maximum number of requests per second on all machines. Absent if there is no limit. */
  rate?: number;
  /** Priority over the other jobs of the same workers. Rows of a job with a higher priority go first. */
  priority: number;
  /** Number of workers with this version of the definition that sent a heartbeat in the last 30 seconds. */
  workers: number;
  /** Number of rows. */
  total: number;
  /** Number of rows in each state. */
  rows: Record<RowState, number>;
  /** Counts of the source rows. */
  plan?: PlanSummary;
  /** When the job was planned. */
  plannedAt: Date;
  /** When the first row may be sent. Absent if this time has passed. */
  startAt?: Date;
  /** When the job was finished or cancelled. */
  endedAt?: Date;
  /** Time until which all requests wait because of a quota or a 429. */
  waitingUntil?: Date;
  /** Number of rows with only some steps done, if the job was cancelled. `problems` lists these rows. */
  begun?: number;
  /** Rows that wait for a lookup. Absent if there are none. */
  lookups?: Lookups;
}

/** A row that a person should check. */
export interface Problem {
  /** Key of the row. */
  key: string;
  /** Line in the source. */
  line: number;
  /**
   * `rejected`: the step was not done. `invalid`: the row cannot be sent as it is. `unknown`: the request may have been processed.
   * `begun`: the job was cancelled after only some steps of the row.
   */
  state: 'rejected' | 'invalid' | 'unknown' | 'begun';
  /** Name of the step; `undefined` for an invalid row. */
  step?: string;
  /** One sentence: the reason given by the service, or why the outcome is not known. */
  reason: string;
  /** Error code from the service, if it sent one. */
  code?: string;
  /** When the request was sent. Absent if no request was sent. */
  sentAt?: Date;
  /** Marker of the step. It identifies the record in the service, if the service stores the marker. */
  marker?: string;
  /** Values of the row, to repair it or to send it with a new job. */
  values: unknown;
  /** Results of the earlier steps, such as the ID of the contact. */
  results: Record<string, Json>;
}

/** History of a row. */
export interface JobRowDetails {
  /** Key of the row. */
  key: string;
  /** Line in the source. If the row represents several source rows, as a campaign part does, this is the line of the first source row. */
  line: number;
  /** State of the row. */
  state: RowState;
  /** Number of times that the row was claimed, changed or planned again. */
  attempt: number;
  /** Name of the last step that was attempted. Absent if no step was attempted. */
  step?: string;
  /** One sentence: why the row is in this state. */
  reason?: string;
  /** Error code from the service, if it sent one. */
  code?: string;
  /** When the last request of the row was sent. Absent if no request was sent. */
  sentAt?: Date;
  /** When the row became done, rejected, invalid or unknown. Absent in the other states. */
  endedAt?: Date;
  /** Marker of the step. */
  marker?: string;
  /** Results of the steps that are done, by name. */
  results: Record<string, Json>;
}

/** A row of a cancelled job for which nothing was sent. */
export type UnsentRow = Pick<Problem, 'key' | 'line' | 'values'>;

/** A completed row. */
export type CompletedRow = Pick<JobRowDetails, 'key' | 'line' | 'results'>;

/** A worker that processes jobs. */
export interface WorkerStatus {
  /** Number of the worker, which changes if the worker was silent for too long. */
  number: number;
  /** Name of the worker's machine. */
  host: string;
  /** ID of the worker's process. */
  process: number;
  /** `working`: the worker sent a heartbeat in the last 30 seconds. `silent`: it did not. */
  state: 'working' | 'silent';
  /** When the worker started. */
  startedAt: Date;
  /** Time of the worker's last heartbeat. */
  lastSign: Date;
  /** Number of rows that the worker has claimed and whose outcome is not stored yet. */
  rows: number;
}
