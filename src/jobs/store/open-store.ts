import { JobsError } from '../jobs-error.ts';
import type { JobsOptions } from '../types.ts';
import { createStore } from './sql-store.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Default folder for the jobs, the logs of workers, and the memory of this machine. */
export const defaultFolder = '.carillon-jobs';

/**
 * Opens the store of the jobs: a folder or a Postgres database.
 *
 * @throws `JobsError` if the option `database` is set but empty: a missing setting must not start new jobs elsewhere
 */
export async function openStore(options: Pick<JobsOptions, 'database' | 'folder'>): Promise<Store> {
  const { database, folder = defaultFolder } = options;
  if (folder === '') throw new JobsError('The option folder is empty. Omit the option to use .carillon-jobs.');
  if (!('database' in options)) return createStore(openSqlite(folder));
  if (database === undefined || database === '')
    throw new JobsError(
      'The option database is empty: it was set, but has no value. Omit the option to keep the jobs in a folder, or set an address such as postgres://user@host:5432/name.',
    );
  const { openPostgres } = await import('./postgres.ts');
  return createStore(await openPostgres(database));
}
