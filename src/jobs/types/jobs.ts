import type { JobDefinition } from './definition.ts';
import type { Json, Source } from './source.ts';
import type { CompletedRow, JobMetrics, JobRowDetails, JobStatus, LeftRow, Problem, WorkerStatus } from './status.ts';

/** Options of {@link Jobs.plan}. */
export interface PlanOptions<Options> {
  /**
   * Name of the job, unique in the database.
   * @default name of the definition
   */
  name?: string | undefined;
  /** Options for the definition, stored in the database for all workers. Plain data without secrets. */
  options: Options;
  /**
   * Maximum number of rows in flight on all machines.
   * @default value of the definition
   */
  concurrency?: number | undefined;
  /**
   * Maximum number of requests per second on all machines.
   * @default value of the definition
   */
  rate?: number | undefined;
  /**
   * Priority over the other jobs of the same workers, from -1,000 to 1,000. Rows of a job with a higher one go first.
   * @default 0
   */
  priority?: number | undefined;
  /**
   * When the first row may be sent, by the clock of the database.
   * @default now
   */
  startAt?: Date | undefined;
  /**
   * Days after the end of the job, above 0. Workers then remove values, results and reasons of its rows, as {@link Jobs.forget} does.
   * @default they are kept until `forget` or `remove`
   */
  retention?: number | undefined;
  /**
   * Milliseconds for which rows can wait before the lists of people who do not want them are read again, if the definition names its
   * recipients. At least 3,000. Read once for all rows of the job, and again after the same time. If that fails, the job pauses.
   * @default 3_600_000
   */
  recheckAfter?: number | undefined;
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
  /** Nothing was sent at this time or later. Refused if the database does not have the requests up to then. */
  sentBefore?: Date | undefined;
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
  /** Only rows that the service refused with this error code. */
  code?: string | undefined;
  /**
   * Whether unknown rows are sent again, too, because a person knows that they were not done.
   * @default false
   */
  isNotDone?: boolean | undefined;
}

/** Jobs in one database. */
export interface Jobs {
  /**
   * Plans a job by storing its rows in one transaction. An existing job is not planned again.
   *
   * @throws `JobsError` if the existing job has another definition, version, checksum or options
   */
  plan<Values, Options>(job: JobDefinition<Values, Options>, options: PlanOptions<Options>): Promise<JobStatus>;
  /**
   * Works on the jobs of the database whose definitions were passed to `openJobs`. Many machines can work at the same time.
   *
   * @throws `JobsError` if the job of `until` has another version of its definition, or is for another service
   */
  work(options?: WorkOptions): Promise<void>;
  /** Progress of a job. */
  status(name: string): Promise<JobStatus>;
  /** Progress of all jobs, the newest first. */
  list(): Promise<JobStatus[]>;
  /** Measurements of the jobs that are not ended, or ended less than an hour ago. `carillon-jobs/otel` reports them. */
  metrics(): Promise<JobMetrics[]>;
  /** The workers of the database, the newest first. */
  workers(): Promise<WorkerStatus[]>;
  /** Stops sending after the requests in flight, on all machines. Lookups continue. */
  pause(name: string): Promise<JobStatus>;
  /**
   * Continues a paused job. Ends any wait of a job, such as that of a `Retry-After`. If the data of the job went back less than ten
   * seconds ago, it first waits for living workers, which connect again in this time.
   *
   * @param answer - which planned rows may have been sent, if the data of the job went back (a restore, a copy, a failover) and the
   * file of a worker has not come back
   * @throws `JobsError` if the answer is needed and missing, or names rows that the job does not have
   */
  resume(name: string, answer?: ResumeAnswer): Promise<JobStatus>;
  /**
   * Changes limits and priority of a job, also while it runs.
   *
   * @throws `JobsError` if a limit is not above 0, or if the priority is not a whole number from -1,000 to 1,000
   */
  set(name: string, settings: JobSettings): Promise<JobStatus>;
  /** Ends a job on all machines, after the requests in flight. */
  cancel(name: string): Promise<JobStatus>;
  /** The rows that are refused, unknown or, in a cancelled job, begun, by line. */
  problems(name: string): AsyncIterable<Problem>;
  /**
   * Reads the history of one row.
   *
   * @param row - its key, its line, or the address or number of its recipient, as long as the job keeps its values
   * @throws `JobsError` if there is no such row
   */
  show(name: string, row: string): Promise<JobRowDetails>;
  /** The rows of a cancelled job of which nothing was sent, by line. */
  left(name: string): AsyncIterable<LeftRow>;
  /**
   * Plans rows again with the same values, from the step that was refused. Rows that the source refused need `repair`.
   *
   * @returns number of rows planned again
   * @throws `JobsError` if none of them can be sent again
   */
  retry(name: string, choice: RetryChoice): Promise<number>;
  /** The completed rows, by line. */
  results(name: string): AsyncIterable<CompletedRow>;
  /**
   * Plans refused rows again, from the step that was refused, with corrected values. Rows are identified by their keys.
   *
   * @returns number of rows planned again
   * @throws `JobsError`, without planning any row, if a row of the source is not a refused row of the job
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
  /** Creates the tables, or migrates them to this version, as `plan` and `work` also do. */
  migrate(): Promise<void>;
  /** Stops the workers of this program as their `signal` does, waits until they have returned, and closes the connections. */
  close(): Promise<void>;
}
