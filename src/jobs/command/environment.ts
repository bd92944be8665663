import type { ClientOptions } from 'carillon';
import { CredentialsError, changesNeedTerminal, needsTerminal, readCredentials } from '../../shared/credentials.ts';
import { useEnvironmentProxy } from '../../shared/environment-proxy.ts';
import type { JobsOptions } from '../types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Description of the environment variables for `--help`. Credentials are never arguments, because other users of the machine can read
 * arguments.
 */
export const variables = `Environment:
  CARILLON_BASE_URL       address of the service
  CARILLON_API_KEY        API key; or CARILLON_CLIENT_ID and CARILLON_CLIENT_SECRET. Without these variables, the file that carillon login wrote is read
  CARILLON_PROFILE        profile in that file (default: the profile in use, which carillon profiles shows)
  CARILLON_JOBS_FOLDER    folder of the jobs, same as --data (default: .carillon-jobs)
  DATABASE_URL            database for jobs shared by several machines: postgres://user:password@host:5432/name; or the libpq variables PGHOST, PGUSER …
  CARILLON_ACCOUNT        account name, if one folder or database holds the jobs of several accounts (default: default)`;

/**
 * Reads the location of the jobs, and the account whose jobs a program works on.
 *
 * @throws `CredentialsError` if the database address is set but empty, so that a missing secret does not lead to new jobs in a folder
 */
export function readPlace(environment: Environment): Pick<JobsOptions, 'database' | 'account' | 'folder'> {
  const { DATABASE_URL: url, PGHOST, PGDATABASE, PGSERVICE, CARILLON_ACCOUNT, CARILLON_JOBS_FOLDER } = environment;
  if (url === '')
    throw new CredentialsError(
      'DATABASE_URL is empty. Unset it to keep the jobs in a folder, or set it to the address of a database, such as postgres://user:password@host:5432/name.',
    );
  const isDatabase = url !== undefined || Boolean(PGHOST || PGDATABASE || PGSERVICE);
  return {
    // The driver reads the variables.
    ...(isDatabase && { database: url ?? 'postgres:///' }),
    ...(CARILLON_ACCOUNT && { account: CARILLON_ACCOUNT }),
    ...(CARILLON_JOBS_FOLDER && { folder: CARILLON_JOBS_FOLDER }),
  };
}

/**
 * Reads the address and credentials of the service, and applies the proxy, as the command `carillon` does.
 *
 * @throws `CredentialsError` if credentials are missing, or the proxy address is invalid
 */
export async function readClient(environment: Environment): Promise<ClientOptions> {
  const { baseUrl, auth } = readCredentials(environment);
  await useEnvironmentProxy(environment);
  return { baseUrl, auth };
}

/**
 * Checks that this process runs in a terminal, if the environment requires a terminal for calls that change data.
 *
 * @throws `CredentialsError` if a terminal is required but missing
 */
export function requireTerminal(environment: Environment): void {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  if (!isTerminal && changesNeedTerminal(environment)) throw new CredentialsError(needsTerminal);
}

/** Client options for commands that send no requests. */
export const noClient: ClientOptions = { baseUrl: 'http://127.0.0.1', auth: null };
