import type { TableDialect } from './tables.ts';

export type Parameter = string | number | null;

/** Runs one statement with parameters `$1`, `$2` and so on. */
export type Run = <Found = Record<string, unknown>>(
  text: string,
  parameters?: readonly (Parameter | Batch)[],
) => Promise<Found[]>;

/** Many rows as one parameter, which {@link Dialect.batch} reads. */
export interface Batch {
  readonly columns: Readonly<Record<string, 'integer' | 'double precision' | 'text'>>;
  readonly rows: readonly (readonly Parameter[])[];
}

/** Differences of the two databases in SQL. */
export interface Dialect extends TableDialect {
  /** The time in milliseconds since 1970. */
  readonly now: string;
  /** Locks a row of a SELECT until the end of the transaction, and skips rows that others have locked. */
  readonly lock: string;
  readonly skipLocked: string;
  /** Statement that makes others wait who change jobs, until the end of the transaction. */
  readonly lockJobs: string;
  /** Names the index of a statement, where the database would take another one. */
  readonly indexedBy: (index: string) => string;
  /** The rows of a batch that is the parameter `$n`, as a table in FROM, with the columns of the batch. */
  readonly batch: (n: number, columns: Batch['columns']) => string;
  /** The place as an expression, if a connection can lead to another one. */
  readonly place: string;
  /** Whether a commit can be lost, because the database does not wait for its disk. */
  readonly isUnsafe: string;
}

/** A database with the tables of the jobs. */
export interface Sql {
  readonly dialect: Dialect;
  /** Where it is, without secrets. */
  readonly location: string;
  readonly run: Run;
  /** Runs statements in one transaction. */
  transaction<Result>(act: (run: Run) => Promise<Result>): Promise<Result>;
  /** Identifies the tables and their server: what a restore, a copy or a failover changes. */
  place(): Promise<string>;
  /** Number of connections so far. A new one may lead to another server. */
  readonly connections: number;
  /**
   * Whether workers of this database have ended if their log is not locked, or also if they are silent for a time, because they run on other
   * machines.
   */
  readonly silence: number | undefined;
  /** Tells the database about many new rows, so that it takes the right indexes. */
  analyze(): Promise<void>;
  /** Creates the tables, or migrates them. */
  create(): Promise<void>;
  /** @throws `JobsError` if the tables are missing or have another version */
  check(): Promise<void>;
  /** Whether there are no tables yet. */
  isNew(): Promise<boolean>;
  close(): Promise<void>;
}
