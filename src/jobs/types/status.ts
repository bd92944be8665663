import type { Json } from './source.ts';

/** State of a row. `sent`: the request left, and its outcome is not known yet. */
export type RowState = 'planned' | 'sent' | 'done' | 'refused' | 'unknown';

/** State of a job. A finished job has no row that is planned or sent. */
export type JobState = 'running' | 'paused' | 'cancelled' | 'finished';

/** The service answers no request of a job. Its workers try again, ever less often. */
export interface Outage {
  /** What the service does, and its host. */
  reason: string;
  /** When a request failed first. */
  since: Date;
  /** When the next request is sent. */
  nextTry: Date;
}

/** Rows whose request was sent and whose outcome is not known, because the reply was lost or the worker has ended. */
export interface Lookups {
  /** Number of rows. */
  rows: number;
  /** When the last of them can be looked up: when its request can no longer be processed. */
  until: Date;
}

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
  /** Deadline of its requests in milliseconds. */
  deadline: number;
  /** Number of workers that know this version of its definition, and gave a sign of life in the last 30 seconds. */
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
  /** Why nothing is sent now, if the service fails. */
  outage?: Outage;
  /** Number of rows of which only some steps are done, if the job was cancelled: `problems` lists them. */
  begun?: number;
  /** Rows that wait for their lookup, if there are any. */
  lookups?: Lookups;
}

/** A row that a person should look at. */
export interface Problem {
  /** Key of the row. */
  key: string;
  /** Line in the source. */
  line: number;
  /**
   * `refused`: nothing was done in this step. `unknown`: the request may have been processed. `begun`: the job was cancelled when only
   * some steps of the row were done.
   */
  state: 'refused' | 'unknown' | 'begun';
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

/** A worker that lives, or that ended without signing off and left something. */
export interface WorkerStatus {
  /** Number of its session, new for each connection to the database. */
  number: number;
  /** Name of its machine. */
  host: string;
  /** ID of its process. */
  process: number;
  /**
   * `working`: it gave a sign of life in the last 30 seconds. `silent`: it did not. `ended`: its session has ended, and rows that it had sent
   * wait for a lookup. `missing`: it worked before the database failed over, and has not come back since.
   */
  state: 'working' | 'silent' | 'ended' | 'missing';
  /** When its session began. */
  startedAt: Date;
  /** Its last sign of life. */
  lastSign: Date;
  /** Number of rows that it holds: sent, and without an outcome. */
  rows: number;
}
