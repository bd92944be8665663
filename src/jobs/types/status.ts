import type { Json } from './source.ts';

/**
 * State of a row. `sent`: a worker has claimed it, so its request may have been sent, and its outcome is not yet known. `rejected`: the
 * service, or the program, said no. `invalid`: its values cannot be sent. `unknown`: its request may have been processed, and
 * a person has to find out.
 */
export type RowState = 'planned' | 'sent' | 'done' | 'rejected' | 'invalid' | 'unknown';

/** State of a job. A finished job has no planned or sent rows. */
export type JobState = 'running' | 'paused' | 'cancelled' | 'finished';

/** Rows that were sent and whose outcome is not known, because the response was lost or the worker has ended. */
export interface Lookups {
  /** Number of rows. */
  rows: number;
  /** When the last of them can be looked up, because its request can no longer be processed. */
  until: Date;
}

/** Counts of the source rows when a job was planned. `rows` is the sum of `planned` and all counts of `leftOut`. */
export interface PlanSummary {
  /** Number of rows in the source. */
  rows: number;
  /** Number of them that were planned. */
  planned: number;
  /** Number of the others, by the kind of their problem. */
  leftOut: Record<string, number>;
  /** Number of planned rows whose recipient an earlier row has, too. */
  repeated: number;
  /** Names of earlier jobs of the same definition with the same source, the newest first. Empty for jobs that only read. */
  sameSource: string[];
}

/** Progress of a job. */
export interface JobStatus {
  /** Name of the job. */
  name: string;
  /** Name of its definition. */
  definition: string;
  /** Version of its definition. */
  version: number;
  /** Its options, as passed to `plan`. */
  options: unknown;
  /** State of the job. */
  state: JobState;
  /** Why the engine paused the job, such as a key that the service rejects; or why its rows wait, such as a service that is down. */
  reason?: string;
  /** Deadline of its requests in milliseconds. */
  deadline: number;
  /** Maximum number of rows in flight on all machines. Absent without a limit. */
  concurrency?: number;
  /** Maximum number of requests per second on all machines. Absent without a limit. */
  rate?: number;
  /** Priority over the other jobs of the same workers. Rows of a job with a higher one go first. */
  priority: number;
  /** Number of workers with this version of its definition that sent a heartbeat in the last 30 seconds. */
  workers: number;
  /** Number of rows. */
  total: number;
  /** Number of rows in each state. */
  rows: Record<RowState, number>;
  /** Counts of its source rows. */
  plan?: PlanSummary;
  /** When the job was planned. */
  plannedAt: Date;
  /** When its first row may be sent. Absent if that time has passed. */
  startAt?: Date;
  /** When it was finished or cancelled. */
  endedAt?: Date;
  /** Time until which all requests wait, because of a quota or a 429. */
  waitingUntil?: Date;
  /** Number of rows with only some steps done, if the job was cancelled. `problems` lists them. */
  begun?: number;
  /** Rows that wait for their lookup, if there are any. */
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
  /** One sentence: the reason of the service, or why the outcome is not known. */
  reason: string;
  /** Error code of the service, if there is one. */
  code?: string;
  /** When the request was sent. Absent if it was not. */
  sentAt?: Date;
  /** Marker of the step, which can identify a record at the service that stores it. */
  marker?: string;
  /** Values of the row, to repair them. */
  values: unknown;
  /** Results of the earlier steps, such as the ID of the contact. */
  results: Record<string, Json>;
}

/** History of a row. */
export interface JobRowDetails {
  /** Key of the row. */
  key: string;
  /** Line in the source. For a row that stands for several ones, such as a part of a campaign, the first of them. */
  line: number;
  /** State of the row. */
  state: RowState;
  /** How often the row was taken to send or look up a step, or was planned again. */
  attempt: number;
  /** Name of the last step that was tried. Absent if none was. */
  step?: string;
  /** One sentence: why the row is in this state. */
  reason?: string;
  /** Error code of the service, if there is one. */
  code?: string;
  /** When its last request was sent. Absent if none was. */
  sentAt?: Date;
  /** When it was done, rejected, invalid or unknown. Absent in the other states. */
  endedAt?: Date;
  /** Marker of the step. */
  marker?: string;
  /** Results of the steps that are done, by name. */
  results: Record<string, Json>;
}

/** A row of a cancelled job of which nothing was sent. */
export interface UnsentRow {
  /** Key of the row. */
  key: string;
  /** Line in the source. */
  line: number;
  /** Its values. */
  values: unknown;
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

/** A worker of the jobs. */
export interface WorkerStatus {
  /** Its number, which changes when it was silent for long. */
  number: number;
  /** Name of its machine. */
  host: string;
  /** ID of its process. */
  process: number;
  /** `working`: it gave a sign of life in the last 30 seconds. `silent`: it did not. */
  state: 'working' | 'silent';
  /** When it began. */
  startedAt: Date;
  /** Time of its last sign of life. */
  lastSign: Date;
  /** Number of rows that it has claimed, and of which the outcome is not written yet. */
  rows: number;
}
