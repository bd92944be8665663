import type { JobState, Json, PlanSummary } from '../types.ts';
import type { ClaimRequest, Hindrance } from './allowance.ts';
import type { Sql } from './sql.ts';
import type { NewJob, StoredJob, StoredRow, StoredState } from './tables.ts';

/** A row to plan. */
export type NewRow = Pick<StoredRow, 'number' | 'line' | 'key' | 'reason' | 'values'> & {
  readonly state: 'planned' | 'invalid';
};

/**
 * Inserts rows of a job. A row is not inserted if an earlier row has the same key. For these rows, returns the line of the earlier row
 * by row number.
 */
export type Insert = (rows: readonly NewRow[]) => Promise<ReadonlyMap<number, number>>;

/** Number of planned rows, and a summary of the plan. */
export interface PlanEnd {
  readonly total: number;
  readonly plan: PlanSummary;
}

/** Rows of a claim, or the reason why there are none. */
export interface Claim {
  readonly rows: readonly StoredRow[];
  /** Number of marks of the job. */
  readonly marks: number;
  /** `turn`: milliseconds until the first row's turn. `pace`: milliseconds between the turns of two rows, according to the job's rate. */
  readonly turn: number;
  readonly pace: number;
  readonly hindrance?: Hindrance;
  /** Milliseconds to wait. */
  readonly wait?: number;
}

/** Outcome of an attempt. With `claimed`, the results of the step are stored, and the row keeps its state for the next step. */
export interface RowOutcome {
  readonly job: number;
  readonly number: number;
  readonly attempt: number;
  /** The worker that claimed the row. */
  readonly worker: number;
  readonly state: Exclude<StoredState, 'invalid'>;
  readonly step?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  /** Results of the steps that are done. If absent, the results of the row do not change. */
  readonly results?: Readonly<Record<string, Json>> | undefined;
  /** For a row in doubt: milliseconds until the row may be looked up, from the claim or, with `isFromNow`, from now. */
  readonly lookUpIn?: number | undefined;
  readonly isFromNow?: boolean | undefined;
}

/** A change to a row that no worker is sending. Without a step, code or reason, the row has none afterwards. */
export interface RowChange
  extends Pick<StoredRow, 'number' | 'attempt' | 'state'>,
    Partial<Pick<StoredRow, 'step' | 'code' | 'reason'>> {
  /** New line, values or results. With `undefined`, they do not change. */
  readonly line?: number | undefined;
  readonly values?: Json | undefined;
  readonly results?: Readonly<Record<string, Json>> | null | undefined;
}

export interface StoredWorker {
  readonly id: number;
  readonly host: string;
  readonly process: number;
  readonly queues: readonly string[];
  readonly startedAt: number;
  readonly beatAt: number;
  /** Milliseconds since the last heartbeat of the worker. */
  readonly silent: number;
  /** Number of rows that the worker holds. */
  readonly rows: number;
}

/** A job that a worker can work on. */
export interface ActiveJob extends StoredJob {
  readonly now: number;
  readonly hasPlanned: boolean;
  /** Whether rows are in doubt, and whether some of them may be looked up now. */
  readonly hasDoubt: boolean;
  readonly hasDue: boolean;
  readonly hasClaimed: boolean;
  /** Milliseconds until the account of the job may send requests, or 0. */
  readonly wait: number;
}

/** A job with the additional data that a status needs. */
export interface JobOverview extends StoredJob {
  readonly now: number;
  /** Time until which the account of the job waits. */
  readonly waitUntil: number | null;
}

/**
 * `states`: number of rows by state. `lookUpUntil`: time of the last lookup of rows in doubt. `begun`: number of planned rows with some
 * steps done.
 */
export interface RowCounts {
  readonly states: Readonly<Partial<Record<StoredState, number>>>;
  readonly lookUpUntil: number | null;
  readonly begun: number;
}

/** Selects the rows to read, in the order of the source. */
export interface RowFilter {
  readonly states?: readonly StoredState[] | undefined;
  /** Number of the last row that was read. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly line?: number | undefined;
  /** Selects the rows up to this line, the last row first. */
  readonly upToLine?: number | undefined;
}

/** Stores the data of jobs. The contract test states the rules that both databases follow. */
export interface Store extends Pick<Sql, 'location' | 'silence' | 'isNew' | 'create' | 'check' | 'place' | 'close'> {
  /** Returns the current time of the store, in milliseconds since 1970. */
  now(): Promise<number>;

  /**
   * Plans a job. Workers see its rows only after all are stored, and never see the rows of an interrupted plan.
   *
   * @returns ID of the job, or `undefined` if a job with this name already exists
   */
  plan(job: NewJob, fill: (insert: Insert) => Promise<PlanEnd>): Promise<number | undefined>;

  /** Registers a worker. Claimed rows of a worker that is no longer registered are put in doubt. */
  register(worker: Pick<StoredWorker, 'id' | 'host' | 'process' | 'queues'>): Promise<void>;
  unregister(worker: number): Promise<void>;
  /** @returns whether the worker is still known */
  beat(worker: number): Promise<boolean>;
  workers(): Promise<StoredWorker[]>;

  /** Claims planned rows for a worker. The commit is the mark: from then on, the rows may have been sent. */
  claim(request: ClaimRequest): Promise<Claim>;
  /** Takes rows in doubt that may be looked up. Changes only the time from which another worker may look up the rows. */
  takeDoubtful(job: number, count: number): Promise<StoredRow[]>;
  /** Confirms that a worker still holds a row, and renews the time of its claim. */
  confirm(row: Pick<StoredRow, 'job' | 'number' | 'attempt' | 'worker'>): Promise<boolean>;
  /**
   * Writes outcomes that still belong to the current attempt of their row. A certain outcome also replaces `doubt` and `unknown`. The
   * call can be repeated.
   */
  settle(outcomes: readonly RowOutcome[]): Promise<void>;
  /** Returns the rows of a worker that are claimed, in doubt or unknown. */
  heldBy(worker: number): Promise<Pick<StoredRow, 'job' | 'number' | 'attempt' | 'state'>[]>;

  /** Reserves the next turn of a job with a rate. Returns the milliseconds until then. */
  reserveTurn(job: number): Promise<number>;
  /**
   * Reserves one request. A quota of n requests has n slots. A slot becomes free when the window has passed since the latest possible
   * arrival of its request. Therefore, no window contains more than n requests, from any number of machines.
   *
   * @param span - milliseconds for which the request occupies its slot
   * @returns `undefined` if the request was reserved, otherwise the milliseconds until a slot becomes free
   */
  reserveQuota(name: string, requests: number, span: number): Promise<number | undefined>;
  /** Delays all requests of an account by some milliseconds. */
  delayAccount(job: Pick<StoredJob, 'account' | 'service'>, milliseconds: number): Promise<void>;
  /** Ends the back-off of an account, so that its rows can be sent immediately. */
  endDelay(job: Pick<StoredJob, 'account' | 'service'>): Promise<void>;

  /** Reads one job, or all jobs, the newest first. */
  jobs(name?: string): Promise<JobOverview[]>;
  /** Reads the jobs that a worker with these queues can work on, and always the jobs `known`. Jobs with a higher priority come first. */
  activeJobs(queues: readonly string[], known: readonly number[]): Promise<ActiveJob[]>;
  counts(job: number): Promise<RowCounts>;
  /**
   * Changes columns of a job, if the job still meets a condition. Columns with the new value `undefined` do not change.
   *
   * @returns whether the job met the condition
   */
  changeJob(job: number, change: JobChange, expected?: JobCondition): Promise<boolean>;
  /** Finishes a running job that has no planned rows, claimed rows or rows in doubt. */
  finish(job: number): Promise<boolean>;
  rows(job: number, filter: RowFilter): Promise<StoredRow[]>;
  /**
   * Changes rows and their job in one transaction. A row changes only if its attempt number is still the one that was read. If a row is
   * planned again, a finished job continues.
   *
   * @param also - changes to the job, rows to add, and whether to change nothing if one of the rows has changed in the meantime
   * @returns number of changed rows
   */
  changeRows(
    job: number,
    changes: readonly RowChange[],
    also?: {
      job?: JobChange;
      added?: readonly NewRow[];
      isStrict?: boolean;
    },
  ): Promise<number>;
  remove(job: number): Promise<void>;
}

export type JobChange = { readonly [Key in keyof StoredJob]?: StoredJob[Key] | undefined };

/** Condition that a job must still meet for a change. */
export interface JobCondition {
  readonly states?: readonly JobState[];
  /** `isUnchecked`: no worker is reading the opt-out list. `checkingUntil`: the same worker is still reading the list. */
  readonly isUnchecked?: boolean;
  readonly checkingUntil?: number;
  /**
   * `place`: the job must still be stored in this place. `marksBelow`: the job must still have fewer marks, which are counted with each
   * claim. Otherwise, a person may already have resumed the job.
   */
  readonly place?: string;
  readonly marksBelow?: number;
  /** Time at which the reset of the data was noticed. The data may have been reset again in the meantime. */
  readonly wentBackAt?: number | null;
}
