import type { ClientOptions, Logger } from 'carillon';
import type { JobDefinition } from './definition.ts';

/** Options of the encrypted connection to the database: those of Node's `tls.connect` that databases need. */
export interface DatabaseTls {
  /** Certificates of the authorities that are trusted, in PEM. */
  ca?: string | undefined;
  /** Certificate of this client, in PEM. */
  cert?: string | undefined;
  /** Private key of the certificate, in PEM. */
  key?: string | undefined;
  /** Name of the server in its certificate, if it is not the host. */
  servername?: string | undefined;
  /**
   * Whether a certificate that is not valid is refused.
   * @default true
   */
  rejectUnauthorized?: boolean | undefined;
}

/** Where the database is. What is missing is read from the variables of libpq, such as `PGHOST` and `PGPASSWORD`. */
export interface DatabaseSettings {
  /** Such as `postgres://user@host:5432/name`. Use a direct connection, or a pooler in session mode. */
  connectionString?: string | undefined;
  /** Host, or folder of the socket. */
  host?: string | undefined;
  /** Port. */
  port?: number | undefined;
  /** Name of the database. */
  database?: string | undefined;
  /** User. */
  user?: string | undefined;
  /** Password. */
  password?: string | undefined;
  /** `true`, or options of the encrypted connection. */
  ssl?: boolean | DatabaseTls | undefined;
}

/** Options of `openJobs`. */
export interface JobsOptions {
  /** Address of the database, or its settings. */
  database: string | DatabaseSettings;
  /** The definitions that this program knows. It works only on their jobs. */
  definitions: readonly JobDefinition[];
  /** Options of the client. `timeout` and `maxRetries` have no effect: the definition of a job has a deadline, and the engine retries. */
  client: ClientOptions;
  /**
   * Name of the service's account. Jobs of the same account and address share its quotas, and workers take only those.
   * @default 'default'
   */
  account?: string | undefined;
  /**
   * Schema for the tables. pg-boss has its own, with `_queue` added to this name.
   * @default 'carillon_jobs'
   */
  schema?: string | undefined;
  /**
   * Folder for a small file of each worker: what it has sent in the last ten minutes, and outcomes that the database could not take. The next
   * start in this folder writes them. `work` creates it.
   * @default '.carillon-jobs'
   */
  folder?: string | undefined;
  /**
   * Clock of quotas and rates in milliseconds since 1970, for tests. All programs need the same.
   * @default clock of the database
   */
  now?: (() => number) | undefined;
  /**
   * Receives warnings that end no work: the database is lost, another worker is silent, a job is for another program.
   * @default console
   */
  logger?: Logger | undefined;
}
