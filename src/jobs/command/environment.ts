import type { ClientOptions } from 'carillon';
import { UsageError } from '../../shared/server/options.ts';
import type { JobsOptions } from '../types.ts';

/** Credentials or the address of the database are missing. */
export class SettingsError extends UsageError {}

type Environment = Readonly<Record<string, string | undefined>>;

/** What `--help` says about the variables. Credentials are never arguments: other users of a machine can read those. */
export const variables = `Environment:
  DATABASE_URL            postgres://user:password@host:5432/name; or the variables of libpq: PGHOST, PGUSER, PGPASSWORD …
  CARILLON_BASE_URL       address of the service
  CARILLON_API_KEY        API key; or CARILLON_CLIENT_ID and CARILLON_CLIENT_SECRET
  CARILLON_ACCOUNT        name of the account, if one database has jobs of several (default: default)`;

/** The database of the jobs, and the account whose jobs a program works on. */
export function readDatabase(environment: Environment): Pick<JobsOptions, 'database' | 'account'> {
  const { DATABASE_URL: url, PGHOST, PGDATABASE, PGSERVICE, CARILLON_ACCOUNT: account } = environment;
  if (!url && !PGHOST && !PGDATABASE && !PGSERVICE) {
    throw new SettingsError(
      'Set DATABASE_URL, such as postgres://user:password@host:5432/name, or the variables of libpq (PGHOST and so on).',
    );
  }
  return { database: url || {}, ...(account && { account }) };
}

/** Address and credentials of the service. */
export function readClient(environment: Environment): ClientOptions {
  const {
    CARILLON_BASE_URL: baseUrl,
    CARILLON_API_KEY: apiKey,
    CARILLON_CLIENT_ID: clientId,
    CARILLON_CLIENT_SECRET: clientSecret,
  } = environment;
  if (!baseUrl) throw new SettingsError('Set CARILLON_BASE_URL to the address of the service.');
  if (apiKey) return { baseUrl, auth: { apiKey } };
  if (clientId && clientSecret) return { baseUrl, auth: { clientId, clientSecret } };
  throw new SettingsError('Set CARILLON_API_KEY, or CARILLON_CLIENT_ID and CARILLON_CLIENT_SECRET.');
}

/** For commands that send nothing. */
export const noClient: ClientOptions = { baseUrl: 'http://127.0.0.1', auth: null };
