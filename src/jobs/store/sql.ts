export type Parameter = string | number | null;

/** Runs one statement with parameters `$1`, `$2` and so on. */
export type Run = <Found = Record<string, unknown>>(
  text: string,
  parameters?: readonly (Parameter | Batch)[],
) => Promise<Found[]>;

/** Several rows as one parameter, which {@link Dialect.batch} reads. */
export interface Batch {
  readonly columns: Readonly<Record<string, 'integer' | 'double precision' | 'text'>>;
  readonly rows: readonly (readonly Parameter[])[];
}

/** SQL differences between the two databases. */
export interface Dialect {
  /** Prefix of table names, such as `carillon_jobs.`. */
  readonly prefix: string;
  /** Type of an auto-incremented ID. */
  readonly identity: string;
  /** Options of the table `rows`. */
  readonly rowOptions: string;
  /** Expression for the current time in milliseconds since 1970. */
  readonly now: string;
  /** `lock` locks the rows of a SELECT until the end of the transaction. `skipLocked` also skips rows that others have locked. */
  readonly lock: string;
  readonly skipLocked: string;
  /** Specifies the index for a statement for which the database would choose another index. */
  readonly indexedBy: (index: string) => string;
  /** FROM expression that reads the parameter `$n` as a table with the batch's columns. */
  readonly batch: (n: number, columns: Batch['columns']) => string;
  /** Expression for the place, if a connection can lead to another place. */
  readonly place: string;
  /** Expression that is true if a commit can be lost, because the database does not wait for the disk. */
  readonly isUnsafe: string;
}

/** A database with the job tables. */
export interface Sql {
  readonly dialect: Dialect;
  /** Location of the database, without secrets. */
  readonly location: string;
  readonly run: Run;
  /** Runs statements in one transaction. */
  transaction<Result>(act: (run: Run) => Promise<Result>): Promise<Result>;
  /** Identifies the tables and their server. A restore, a copy or a failover changes this place. */
  place(): Promise<string>;
  /**
   * Milliseconds without a heartbeat after which a worker is declared dead, because it may run on another machine. `undefined` if all
   * workers run on this machine, where an unlocked log proves that a worker has ended.
   */
  readonly silence: number | undefined;
  /** Updates the statistics of the database after many new rows, so that it chooses the right indexes. */
  analyze(): Promise<void>;
  /** Creates the tables, or migrates existing tables. */
  create(): Promise<void>;
  /** @throws `JobsError` if the tables are missing or have another version */
  check(): Promise<void>;
  /** Whether there are no tables yet. */
  isNew(): Promise<boolean>;
  close(): Promise<void>;
}
