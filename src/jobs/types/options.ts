import type { ClientOptions, Logger } from 'carillon';
import type { JobDefinition } from './definition.ts';

/** Options of the TLS connection to the database. A subset of the options of Node's `tls.connect`. */
export interface DatabaseTls {
  /** Certificates of trusted authorities, in PEM. */
  ca?: string | undefined;
  /** Certificate of this client, in PEM. */
  cert?: string | undefined;
  /** Private key of the certificate, in PEM. */
  key?: string | undefined;
  /** Name of the server in its certificate, if it is not the host. */
  servername?: string | undefined;
  /**
   * Whether to refuse invalid certificates.
   * @default true
   */
  rejectUnauthorized?: boolean | undefined;
}

/**
 * Connection settings of the database. Missing settings are read from the variables of libpq, such as `PGHOST` and `PGPASSWORD`.
 */
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
  /** `true`, or options of the TLS connection. */
  ssl?: boolean | DatabaseTls | undefined;
}

/** Options of `openJobs`. */
export interface JobsOptions {
  /** Address of the database, or its settings. */
  database: string | DatabaseSettings;
  /** Job definitions of this program. It works only on jobs of these definitions. */
  definitions: readonly JobDefinition[];
  /**
   * Options of the client. `timeout` and `maxRetries` have no effect, because the definition of a job sets the deadline, and the
   * engine retries.
   */
  client: ClientOptions;
  /**
   * Name of the account at the service. Jobs of the same account and address share its quotas. Workers take only jobs of this
   * account.
   * @default 'default'
   */
  account?: string | undefined;
  /**
   * Schema for the tables. The schema for pg-boss has the suffix `_queue`.
   * @default 'carillon_jobs'
   */
  schema?: string | undefined;
  /**
   * Folder for a file of each worker, with the numbers and outcomes of the rows that it sent, until their job is removed. Each worker
   * that starts in this folder compares them with the database, and writes what is missing. `work` creates the folder.
   * @default '.carillon-jobs'
   */
  folder?: string | undefined;
  /**
   * Clock of quotas and rates in milliseconds since 1970, for tests. All programs need the same clock.
   * @default clock of the database
   */
  now?: (() => number) | undefined;
  /**
   * Receives warnings that do not end the work, such as a lost database connection, a silent worker, or a job for another
   * program.
   * @default console
   */
  logger?: Logger | undefined;
}
