import type { JobDefinition } from './definition.ts';
import type { Json, Source } from './source.ts';
import type { CompletedRow, JobRowDetails, JobStatus, Problem, UnsentRow, WorkerStatus } from './status.ts';

/** Options of {@link Jobs.plan}. */
export interface PlanOptions<Options> {
  /**
   * Name of the job, unique within its folder or database.
   * @default name of the definition
   */
  name?: string | undefined;
  /** Options for the definition, stored for all workers. They must be plain data without secrets. */
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
   * Priority over the other jobs of the same workers, from -1,000 to 1,000. Rows of a job with a higher priority go first.
   * @default 0
   */
  priority?: number | undefined;
  /**
   * When the first row may be sent, by the clock of the database or of this machine.
   * @default now
   */
  startAt?: Date | undefined;
  /**
   * Days after the end of the job, above 0, after which workers remove the values, results and reasons of its rows, as {@link
   * Jobs.forget} does.
   * @default values, results and reasons are kept until `forget` or `remove`
   */
  retention?: number | undefined;
  /**
   * Whether to plan the job even if the folder has a record of a job with the same name or source, and that job was lost or is
   * stored elsewhere. Rows that the earlier job has already sent are sent again.
   * @default false
   */
  isSentBefore?: boolean | undefined;
  /**
   * Whether to update the rows of an existing job from the current source. New rows are added. Rejected, invalid and planned rows
   * receive the values from the source. Planned rows that the source no longer contains become invalid. Rows that were sent or are
   * done do not change.
   * @default false: `plan` throws if the source has changed
   */
  isUpdate?: boolean | undefined;
}

/** Options of {@link Jobs.work}. */
export interface WorkOptions {
  /** Aborted to end the work after the requests in flight. */
  signal?: AbortSignal | undefined;
  /**
   * Maximum number of requests in flight in this process.
   * @default 10
   */
  concurrency?: number | undefined;
  /**
   * Name of a job. `work` returns when this job is finished, paused or cancelled. If `until` is omitted, `work` waits for new jobs
   * until `signal` is aborted.
   */
  until?: string | undefined;
  /**
   * Called when this worker claims the first rows of a job, and when the worker notices that the job has ended.
   *
   * @param name - name of the job
   * @param event - `started`, or the state in which the job ended
   */
  onJob?: ((name: string, event: 'started' | 'finished' | 'cancelled') => void) | undefined;
}

/** A person's decision about an unknown row. */
export interface Decision {
  /** Outcome of the step. After `'not done'`, the step is sent again. After `'done'`, the next step follows. */
  outcome: 'done' | 'not done';
  /** Result of the step if it was processed, such as the ID of the contact. */
  result?: Json;
}

/**
 * Specifies which planned rows may have been sent before the data was reset to an earlier state. Each of these rows is looked up
 * before it is sent, and becomes `unknown` if it cannot be looked up.
 */
export interface ResumeAnswer {
  /** Keys of the rows and ranges of source lines (first and last); or `'all'` for all planned rows; or `'none'`. */
  sent?: 'all' | 'none' | readonly (string | readonly [first: number, last: number])[] | undefined;
}

/** Job settings that {@link Jobs.set} can change. `null` removes a limit. */
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
  /** Keys of the rows and ranges of source lines (first and last); or `'all'`. */
  rows: 'all' | readonly (string | readonly [first: number, last: number])[];
  /** Only rows that the service rejected with this error code. */
  code?: string | undefined;
}

/** The jobs in one folder or database. */
export interface Jobs {
  /** Location of the jobs, for people: the path of the file, or the address of the database without the user. */
  readonly location: string;
  /** Whether the folder or database is new, that is, contains no jobs yet. */
  isNew(): Promise<boolean>;
  /**
   * Plans a job by storing its rows. Workers send no row before all rows are stored. An existing job is not planned again, and keeps
   * its limits and priority.
   *
   * @throws `JobsError` if a limit or the priority is invalid, as for `set`; if the existing job has a different definition, version,
   * checksum or options; or if the folder has a record of a job with the same name or source, and that job was lost or is stored
   * elsewhere
   */
  plan<Values, Options>(job: JobDefinition<Values, Options>, options: PlanOptions<Options>): Promise<JobStatus>;
  /**
   * Works on the jobs whose definitions were passed to `openJobs`. Any number of processes can work at the same time and, with a
   * database, any number of machines.
   *
   * @throws `JobsError` if the job in `until` has a different version of its definition, or is for a different service
   */
  work(options?: WorkOptions): Promise<void>;
  /** Reads the progress of a job. */
  status(name: string): Promise<JobStatus>;
  /** Reads the progress of all jobs, the newest first. */
  list(): Promise<JobStatus[]>;
  /** Lists the workers, the newest first. */
  workers(): Promise<WorkerStatus[]>;
  /**
   * Pauses a job on all machines. Workers may still send the rows that they have already claimed (about 100 ms of work). Lookups
   * continue.
   */
  pause(name: string): Promise<JobStatus>;
  /**
   * Resumes a paused job, or ends the wait of a running job, for example after a `Retry-After`.
   *
   * @param answer - which planned rows may have been sent, if the data of the job was reset to an earlier state (by a
   * restore, copy or failover)
   * @throws `JobsError` if the answer is required but missing, or if it names rows that the job does not have
   */
  resume(name: string, answer?: ResumeAnswer): Promise<JobStatus>;
  /**
   * Changes the limits and priority of a job, even while it runs.
   *
   * @throws `JobsError` if a limit is not above 0, if the concurrency is not a whole number, or if the priority is not a whole number
   * from -1,000 to 1,000
   */
  set(name: string, settings: JobSettings): Promise<JobStatus>;
  /** Cancels a job on all machines. Workers stop sending as they do for `pause`. */
  cancel(name: string): Promise<JobStatus>;
  /** Reads the rows that are rejected, invalid, unknown or, in a cancelled job, begun. They are sorted by line. */
  problems(name: string): AsyncIterable<Problem>;
  /**
   * Reads the history of rows.
   *
   * @param row - key or line of the rows; or an address or phone number, in any spelling, in their keys or values
   * @throws `JobsError` if no row matches. A row without values, for example because it is done, cannot be found by an address or
   * phone number
   */
  show(name: string, row: string): Promise<JobRowDetails[]>;
  /** Reads the history of the rows with these keys, in the order of the source. Keys that the job does not have are ignored. */
  rows(name: string, keys: readonly string[]): Promise<JobRowDetails[]>;
  /** Reads the rows of a cancelled job for which nothing was sent. They are sorted by line. */
  unsent(name: string): AsyncIterable<UnsentRow>;
  /**
   * Plans rejected rows again with the same values, from the rejected step. For invalid rows, use `repair`; for unknown rows, use
   * `decide`.
   *
   * @returns number of rows planned again
   * @throws `JobsError` if none of the rows can be sent again
   */
  retry(name: string, choice: RetryChoice): Promise<number>;
  /** Reads the completed rows. They are sorted by line. */
  results(name: string): AsyncIterable<CompletedRow>;
  /**
   * Plans rejected and invalid rows again with corrected values, from the rejected step. Rows are identified by their keys.
   *
   * @returns number of rows planned again
   * @throws `JobsError`, without planning any row, if a row of the source is not a rejected or invalid row of the job
   */
  repair(name: string, source: Source): Promise<number>;
  /**
   * Records the outcome of an unknown row, as determined by a person.
   *
   * @throws `JobsError` if the row does not exist or is not unknown
   */
  decide(name: string, key: string, decision: Decision): Promise<void>;
  /**
   * Removes personal data: the values, results and reasons of one row, or of all rows of a job that has ended.
   *
   * @returns number of changed rows
   */
  forget(name: string, key?: string): Promise<number>;
  /** Removes a job that has ended, with all its rows. */
  remove(name: string): Promise<void>;
  /** Stops the workers in this program in the same way as their `signal`, waits until `work` has returned, and closes the connections. */
  close(): Promise<void>;
}
