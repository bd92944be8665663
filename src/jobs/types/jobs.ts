import type { JobDefinition } from './definition.ts';
import type { Json, Source } from './source.ts';
import type { CompletedRow, JobRowDetails, JobStatus, Problem, UnsentRow, WorkerStatus } from './status.ts';

/** Options of {@link Jobs.plan}. */
export interface PlanOptions<Options> {
  /**
   * Name of the job, unique in its place.
   * @default name of the definition
   */
  name?: string | undefined;
  /** Options for the definition, stored for all workers. Plain data without secrets. */
  options: Options;
  /**
   * Maximum number of rows in flight on all machines.
   * @default no limit except the concurrency of each worker
   */
  concurrency?: number | undefined;
  /**
   * Maximum number of requests per second on all machines, evenly spaced.
   * @default no limit
   */
  rate?: number | undefined;
  /**
   * Priority over the other jobs of the same workers, from -1,000 to 1,000. Rows of a job with a higher one go first.
   * @default 0
   */
  priority?: number | undefined;
  /**
   * When the first row may be sent, by the clock of the database, or of this machine.
   * @default now
   */
  startAt?: Date | undefined;
  /**
   * Days after the end of the job, above 0. Workers then remove values, results and reasons of its rows, as {@link Jobs.forget} does.
   * @default they are kept until `forget` or `remove`
   */
  retention?: number | undefined;
  /**
   * Plans the job although its folder remembers one of this name or source that these jobs do not contain, such as after a database was lost.
   * Rows that were sent there are sent again.
   * @default false
   */
  isSentBefore?: boolean | undefined;
  /**
   * Gives an existing job the rows of its source as it is now: new ones are added, rejected, invalid and planned ones get the values of the
   * source, and planned ones that it does not have any more become invalid. Rows that were sent, or are done, stay as they are.
   * @default false: `plan` throws if the source has changed
   */
  isUpdate?: boolean | undefined;
}

/** Options of {@link Jobs.work}. */
export interface WorkOptions {
  /** Ends the work after the requests in flight. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum number of requests in flight in this process.
   * @default 10
   */
  concurrency?: number | undefined;
  /** Returns when this job is finished, paused or cancelled. Without it, `work` waits for new jobs until `signal` is aborted. */
  until?: string | undefined;
  /**
   * Called when this worker takes the first rows of a job, and when the worker notices its end.
   *
   * @param name - name of the job
   * @param event - `started`, or the state in which the job ended
   */
  onJob?: ((name: string, event: 'started' | 'finished' | 'cancelled') => void) | undefined;
}

/** Decision of a person about an unknown row. */
export interface Decision {
  /** With `not done`, the step is sent again. With `done`, the next step follows. */
  outcome: 'done' | 'not done';
  /** Result of the step if it was processed, such as the ID of the contact. */
  result?: Json;
}

/**
 * Which planned rows may have been sent before the data went back. Each is looked up before it is sent, and becomes `unknown` if
 * that is not possible.
 */
export interface ResumeAnswer {
  /** Keys of the rows, or pairs of lines of the source (first and last); or all planned rows; or none of them. */
  sent?: 'all' | 'none' | readonly (string | readonly [first: number, last: number])[] | undefined;
}

/** Settings that {@link Jobs.set} changes. `null` removes a limit. */
export interface JobSettings {
  /** Maximum number of rows in flight on all machines. */
  concurrency?: number | null | undefined;
  /** Maximum number of requests per second on all machines. */
  rate?: number | null | undefined;
  /** Priority over the other jobs of the same workers, from -1,000 to 1,000. */
  priority?: number | undefined;
}

/** Rows to send again with the same values. */
export interface RetryChoice {
  /** Keys of the rows, or pairs of lines of the source (first and last), or all. */
  rows: 'all' | readonly (string | readonly [first: number, last: number])[];
  /** Only rows that the service rejected with this error code. */
  code?: string | undefined;
}

/** The jobs in one place: a folder, or a database. */
export interface Jobs {
  /** Where the jobs are, for people: the path of their file, or the address of their database without its user. */
  readonly location: string;
  /** Whether there are no jobs in this place yet. */
  isNew(): Promise<boolean>;
  /**
   * Plans a job by storing its rows. Workers send none before all are stored. An existing job is not planned again, and keeps its limits and
   * priority.
   *
   * @throws `JobsError` if the existing job has another definition, version, checksum or options, or if the folder remembers a job of this
   * name or source that is not in this place
   */
  plan<Values, Options>(job: JobDefinition<Values, Options>, options: PlanOptions<Options>): Promise<JobStatus>;
  /**
   * Works on the jobs whose definitions were passed to `openJobs`. Any number of processes, and with a database of machines, can work at
   * the same time.
   *
   * @throws `JobsError` if the job of `until` has another version of its definition, or is for another service
   */
  work(options?: WorkOptions): Promise<void>;
  /** Progress of a job. */
  status(name: string): Promise<JobStatus>;
  /** Progress of all jobs, the newest first. */
  list(): Promise<JobStatus[]>;
  /** The workers, the newest first. */
  workers(): Promise<WorkerStatus[]>;
  /** Stops sending, on all machines: after the rows that each worker has claimed, which are about 100 ms of work. Lookups continue. */
  pause(name: string): Promise<JobStatus>;
  /**
   * Continues a paused job. Ends any wait of a job, such as that of a `Retry-After`.
   *
   * @param answer - which planned rows may have been sent, if the data of the job went back (a restore, a copy, a failover)
   * @throws `JobsError` if the answer is needed and missing, or names rows that the job does not have
   */
  resume(name: string, answer?: ResumeAnswer): Promise<JobStatus>;
  /**
   * Changes the limits and priority of a job, even while it runs.
   *
   * @throws `JobsError` if a limit is not above 0, or if the priority is not a whole number from -1,000 to 1,000
   */
  set(name: string, settings: JobSettings): Promise<JobStatus>;
  /** Ends a job on all machines, as soon as a pause would stop it. */
  cancel(name: string): Promise<JobStatus>;
  /** The rows that are rejected, invalid, unknown or, in a cancelled job, begun, by line. */
  problems(name: string): AsyncIterable<Problem>;
  /**
   * Reads the history of rows.
   *
   * @param row - their key, their line, or an address or number, in any spelling, that their key, their values or their part has
   * @throws `JobsError` if there is no such row, or if it may be one whose values were removed, such as a done one
   */
  show(name: string, row: string): Promise<JobRowDetails[]>;
  /** The history of the rows with some keys, in the order of the source. Keys that the job does not have are left out. */
  rows(name: string, keys: readonly string[]): Promise<JobRowDetails[]>;
  /** The rows of a cancelled job of which nothing was sent, by line. */
  unsent(name: string): AsyncIterable<UnsentRow>;
  /**
   * Plans rejected rows again with the same values, from the step that was rejected. Invalid rows need `repair`, unknown ones `decide`.
   *
   * @returns number of rows planned again
   * @throws `JobsError` if none of them can be sent again
   */
  retry(name: string, choice: RetryChoice): Promise<number>;
  /** The completed rows, by line. */
  results(name: string): AsyncIterable<CompletedRow>;
  /**
   * Plans rejected and invalid rows again, from the step that was rejected, with corrected values. Rows are identified by their keys.
   *
   * @returns number of rows planned again
   * @throws `JobsError`, without planning any row, if a row of the source is not a rejected or invalid row of the job
   */
  repair(name: string, source: Source): Promise<number>;
  /**
   * Records the outcome of an unknown row, determined by a person.
   *
   * @throws `JobsError` if the row does not exist or is not unknown
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
  /** Stops the workers of this program as their `signal` does, waits until they have returned, and closes the connections. */
  close(): Promise<void>;
}
