import type { ClientOptions } from 'carillon';
import { UsageError } from '../../shared/command-line.ts';
import { CredentialsError, changesNeedTerminal, needsTerminal, readCredentials } from '../../shared/credentials.ts';
import { useEnvironmentProxy } from '../../shared/environment-proxy.ts';
import type { JobsOptions } from '../types.ts';

/** The address of the database is missing. */
export class SettingsError extends UsageError {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Description of the variables for `--help`. Credentials are never arguments, which other users of the machine can read. */
export const variables = `Environment:
  DATABASE_URL            postgres://user:password@host:5432/name; or the variables of libpq: PGHOST, PGUSER, PGPASSWORD …
  CARILLON_BASE_URL       address of the service
  CARILLON_API_KEY        API key; or CARILLON_CLIENT_ID and CARILLON_CLIENT_SECRET. Without them, the file of carillon login is read
  CARILLON_PROFILE        profile of that file (default: that of carillon profiles)
  CARILLON_ACCOUNT        name of the account, if one database has jobs of several (default: default)
  CARILLON_JOBS_SCHEMA    schema of the tables, as --schema (default: carillon_jobs)
  CARILLON_JOBS_FOLDER    folder for the record of requests (default: .carillon-jobs)`;

/** Reads the database of the jobs, the account whose jobs a program works on, and the folder for its attempts. */
export function readDatabase(
  environment: Environment,
): Pick<JobsOptions, 'database' | 'account' | 'folder' | 'schema'> {
  const {
    DATABASE_URL: url,
    PGHOST,
    PGDATABASE,
    PGSERVICE,
    CARILLON_ACCOUNT: account,
    CARILLON_JOBS_FOLDER: folder,
    CARILLON_JOBS_SCHEMA: schema,
  } = environment;
  if (!url && !PGHOST && !PGDATABASE && !PGSERVICE) {
    throw new SettingsError(
      'Set DATABASE_URL, such as postgres://user:password@host:5432/name, or the variables of libpq (PGHOST and so on).',
    );
  }
  return { database: url || {}, ...(account && { account }), ...(folder && { folder }), ...(schema && { schema }) };
}

/**
 * Reads address and credentials of the service, and applies the proxy, as the command `carillon` does.
 *
 * @throws `CredentialsError` if credentials are missing, or the proxy address is invalid
 */
export async function readClient(environment: Environment): Promise<ClientOptions> {
  const { baseUrl, auth } = readCredentials(environment);
  await useEnvironmentProxy(environment);
  return { baseUrl, auth };
}

/**
 * Refuses work that changes data of the service outside a terminal, if the user requires a terminal for changes.
 *
 * @throws `CredentialsError`
 */
export function requireTerminal(environment: Environment): void {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  if (!isTerminal && changesNeedTerminal(environment)) throw new CredentialsError(needsTerminal);
}

/** Client options for commands that send no requests. */
export const noClient: ClientOptions = { baseUrl: 'http://127.0.0.1', auth: null };
