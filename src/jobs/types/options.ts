import type { ClientOptions, Logger } from 'carillon';
import type { JobDefinition } from './definition.ts';

/** Options of `openJobs`. */
export interface JobsOptions {
  /**
   * Address of a Postgres database, such as `postgres://user@host:5432/name?sslmode=verify-full`, for jobs that many machines share. What it
   * does not name is read from the variables of libpq, such as `PGPASSWORD`. A pooler in transaction mode works, too. An empty one is invalid,
   * because a forgotten setting must not begin new jobs elsewhere.
   * @default the file `jobs.sqlite` in `folder`, which any number of processes of this machine can open
   */
  database?: string | undefined;
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
