import type { JobState, Json, PlanSummary } from '../types.ts';
import type { ClaimRequest, Hindrance } from './allowance.ts';
import type { NewJob, StoredJob, StoredRow, StoredState } from './tables.ts';

/** A row to plan. */
export type NewRow = Pick<StoredRow, 'number' | 'line' | 'key' | 'reason' | 'values'> & {
  readonly state: 'planned' | 'invalid';
};

/** Inserts rows of a job. Returns the line of the earlier row for each number whose key an earlier row has: those are not inserted. */
export type Insert = (rows: readonly NewRow[]) => Promise<ReadonlyMap<number, number>>;

/** Number of planned rows, and a summary of the plan. */
export interface PlanEnd {
  readonly total: number;
  readonly plan: PlanSummary;
}

/** The rows of a claim, or why it has fewer. */
export interface Claim {
  readonly rows: readonly StoredRow[];
  /** Number of marks of the job. */
  readonly marks: number;
  /** Milliseconds until the turn of the first row, and between those of two rows, by the rate of the job. */
  readonly turn: number;
  readonly pace: number;
  readonly hindrance?: Hindrance;
  /** Milliseconds to wait. */
  readonly wait?: number;
}

/** Outcome of an attempt. `claimed` adds results of a step to a row whose next step follows. */
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
  /** Results of the steps that are done. Without them, those of the row stay. */
  readonly results?: Readonly<Record<string, Json>> | undefined;
  /** In doubt: milliseconds from the claim, or from now if `isFromNow`, until the row may be looked up. */
  readonly lookUpIn?: number | undefined;
  readonly isFromNow?: boolean | undefined;
}

/** A change of a row that no worker is sending. */
export interface RowChange
  extends Pick<StoredRow, 'number' | 'attempt' | 'line' | 'state' | 'step' | 'code' | 'reason'> {
  /** New values or results. `undefined` keeps those of the row. */
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
  /** Milliseconds since its last sign of life. */
  readonly silent: number;
  /** Number of rows that it holds. */
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
  /** Milliseconds until its account may send, or 0. */
  readonly wait: number;
}

/** A job with what a status needs. */
export interface JobOverview extends StoredJob {
  readonly now: number;
  /** Until when its account waits. */
  readonly waitUntil: number | null;
}

/** Number of rows by state, those in doubt with the last time of a lookup, and planned rows of which some steps are done. */
export interface RowCounts {
  readonly states: Readonly<Partial<Record<StoredState, number>>>;
  readonly lookUpUntil: number | null;
  readonly begun: number;
}

/** Which rows to read, in the order of the source. */
export interface RowFilter {
  readonly states?: readonly StoredState[] | undefined;
  /** Number of the last row that was read. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly key?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly line?: number | undefined;
  /** The last row whose line is not after this one. */
  readonly upToLine?: number | undefined;
}

/** The data of jobs. Both databases keep the promises of the contract test. */
export interface Store {
  /** Where the jobs are, without secrets. */
  readonly location: string;
  readonly connections: number;
  readonly silence: number | undefined;
  isNew(): Promise<boolean>;
  create(): Promise<void>;
  check(): Promise<void>;
  place(): Promise<string>;
  now(): Promise<number>;
  close(): Promise<void>;

  /**
   * Plans a job. Workers see its rows at the end, and never those of a plan that is killed.
   *
   * @returns its ID, or `undefined` if there is a job of this name
   */
  plan(job: NewJob, fill: (insert: Insert) => Promise<PlanEnd>): Promise<number | undefined>;

  /** A worker begins, ends, and lives. Rows whose worker is gone are in doubt. */
  register(worker: Pick<StoredWorker, 'id' | 'host' | 'process' | 'queues'>): Promise<void>;
  unregister(worker: number): Promise<void>;
  /** @returns whether the worker is still known */
  beat(worker: number): Promise<boolean>;
  workers(): Promise<StoredWorker[]>;

  /** Claims planned rows for a worker. The commit is the mark: from now on they may have been sent. */
  claim(request: ClaimRequest): Promise<Claim>;
  /** Takes rows in doubt that may be looked up. Changes only the time until another worker looks them up. */
  takeDoubtful(job: number, count: number): Promise<StoredRow[]>;
  /** Confirms that a worker still holds a row, and renews the time of its claim. */
  confirm(row: Pick<StoredRow, 'job' | 'number' | 'attempt' | 'worker'>): Promise<boolean>;
  /** Writes outcomes that still belong to the attempt of their row. A certain one also replaces doubt and `unknown`. Can be repeated. */
  settle(outcomes: readonly RowOutcome[]): Promise<void>;
  /** Rows of a worker that are claimed, in doubt or unknown. */
  heldBy(worker: number): Promise<Pick<StoredRow, 'job' | 'number' | 'attempt' | 'state'>[]>;

  /** Reserves the next turn of a job with a rate. Returns the milliseconds until then. */
  reserveTurn(job: number): Promise<number>;
  /**
   * Reserves one request. A quota of n requests has n slots. A slot is free again when the window has passed since the latest possible
   * arrival of its request, so no window contains more than n requests, from any number of machines.
   *
   * @param span - milliseconds for which the request takes its slot
   * @returns `undefined`, or milliseconds until a slot is free
   */
  reserveQuota(name: string, requests: number, span: number): Promise<number | undefined>;
  /** Delays all requests of an account for some milliseconds. */
  delayAccount(job: Pick<StoredJob, 'account' | 'service'>, milliseconds: number): Promise<void>;
  /** Ends the waits of an account. */
  endDelay(job: Pick<StoredJob, 'account' | 'service'>): Promise<void>;

  /** Reads one job, or all, the newest first. */
  jobs(name?: string): Promise<JobOverview[]>;
  /** Reads the jobs that a worker with some queues can work on, and some others in any case, those with a higher priority first. */
  activeJobs(queues: readonly string[], known: readonly number[]): Promise<ActiveJob[]>;
  counts(job: number): Promise<RowCounts>;
  /**
   * Changes columns of a job, if it still has others. Those that are `undefined` stay.
   *
   * @returns whether it had
   */
  changeJob(job: number, change: JobChange, expected?: JobCondition): Promise<boolean>;
  /** Ends a job that has no open rows. */
  finish(job: number): Promise<boolean>;
  rows(job: number, filter: RowFilter): Promise<StoredRow[]>;
  /**
   * Changes rows as one transaction, together with their job. Each change needs the attempt that was read. A row that was planned again
   * continues a finished job.
   *
   * @param also - changes of the job, rows to add, and whether nothing changes if one row has changed meanwhile
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

/** State in which a job must still be for a change. */
export interface JobCondition {
  readonly states?: readonly JobState[];
  /** Whether no worker may be reading the list of those who do not want what it sends, or whether the same one still is. */
  readonly isUnchecked?: boolean;
  readonly checkingUntil?: number;
  /** Whether it is still in a place, and has fewer marks, because a person may have answered meanwhile. */
  readonly place?: string;
  readonly marksBelow?: number;
  /** When its data went back, because they may have gone back again. */
  readonly wentBackAt?: number | null;
}

/** The rows of a strict change have changed since they were read. */
export class ChangedRowsError extends Error {
  override readonly name = 'ChangedRowsError';
}
