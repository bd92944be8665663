import { JobsError } from '../jobs-error.ts';
import type { JobsOptions } from '../types.ts';
import { createStore } from './sql-store.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Default folder for the jobs, the logs of workers, and what this machine remembers about its jobs. */
export const defaultFolder = '.carillon-jobs';

/**
 * Opens the store of the jobs: a folder or a Postgres database.
 *
 * @throws `JobsError` if the `database` option is an empty string, so that a missing setting does not lead to new jobs elsewhere
 */
export async function openStore(options: Pick<JobsOptions, 'database' | 'folder'>): Promise<Store> {
  const { database, folder = defaultFolder } = options;
  if (folder === '') throw new JobsError("The 'folder' option is an empty string. Omit it to use .carillon-jobs.");
  if (!('database' in options)) return createStore(openSqlite(folder));
  if (database === undefined || database === '')
    throw new JobsError(
      "The 'database' option is an empty string. Omit it to keep the jobs in a folder, or set it to an address such as postgres://user@host:5432/name.",
    );
  const { openPostgres } = await import('./postgres.ts');
  return createStore(await openPostgres(database));
}
