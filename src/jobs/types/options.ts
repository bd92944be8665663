import type { ClientOptions, Logger } from 'carillon';
import type { JobDefinition } from './definition.ts';

/** Options of `openJobs`. */
export interface JobsOptions {
  /**
   * Address of a Postgres database, such as `postgres://user@host:5432/name?sslmode=verify-full`, for jobs that several machines
   * share. Missing parts are read from the libpq variables, such as `PGPASSWORD`. A pooler in transaction mode is supported. An empty
   * address is invalid, so that a missing setting does not lead to new jobs elsewhere.
   * @default the file `jobs.sqlite` in `folder`, which any number of processes on this machine can open
   */
  database?: string | undefined;
  /** Job definitions for this program. The program works only on jobs with these definitions. */
  definitions: readonly JobDefinition[];
  /**
   * Options of the client. `timeout` and `maxRetries` have no effect, because the job definition sets the deadline, and `work`
   * retries rows.
   */
  client: ClientOptions;
  /**
   * Name of the account in the service. Jobs of the same account and address share the quotas of the account. Workers process only jobs
   * of this account.
   * @default 'default'
   */
  account?: string | undefined;
  /**
   * Folder for the jobs, the request log of each worker, and what this machine remembers about its jobs. With a database, the folder
   * contains everything except the jobs. Each worker that starts in this folder settles the rows of workers that have ended.
   * @default '.carillon-jobs'
   */
  folder?: string | undefined;
  /**
   * Receives warnings about problems that do not end the work, such as a lost database connection.
   * @default console
   */
  logger?: Logger | undefined;
}
