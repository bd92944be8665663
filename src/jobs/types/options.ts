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
  /** Such as `postgres://user@host:5432/name`. A pooler in transaction mode works, too. */
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
  /**
   * Address of a Postgres database, such as `postgres://user@host:5432/name`, or its settings, for jobs that many machines share. An
   * empty one is refused, because a forgotten setting must not begin new jobs elsewhere.
   * @default the file `jobs.sqlite` in `folder`, which any number of processes of this machine can open
   */
  database?: string | DatabaseSettings | undefined;
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
   * Folder of the jobs, of a log of the requests of each worker, and of what this machine remembers of its jobs. With a database, only the
   * logs and the memory are in it. Each worker that starts in this folder settles the rows of those that have ended.
   * @default '.carillon-jobs'
   */
  folder?: string | undefined;
  /**
   * Receives warnings that do not end the work, such as a lost database connection.
   * @default console
   */
  logger?: Logger | undefined;
}
