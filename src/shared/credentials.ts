import { homedir } from 'node:os';
import { join } from 'node:path';
import { CredentialsError, readPrivately, writePrivately } from './private-file.ts';

export { CredentialsError } from './private-file.ts';

/** What the commands need to call the service. */
export interface Credentials {
  baseUrl: string;
  auth: { apiKey: string } | { clientId: string; clientSecret: string };
  /** Where they come from: `the environment`, or the path of the file. */
  from: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of the variables. They win over the file as a whole, so that two accounts never mix. */
export const variables = {
  baseUrl: 'CARILLON_BASE_URL',
  apiKey: 'CARILLON_API_KEY',
  clientId: 'CARILLON_CLIENT_ID',
  clientSecret: 'CARILLON_CLIENT_SECRET',
} as const;

const names = `${variables.baseUrl} and ${variables.apiKey} (or ${variables.clientId} and ${variables.clientSecret})`;

/** The file that `carillon login` writes. `CARILLON_CREDENTIALS` names another one. */
export function credentialsFile(env: Environment = process.env): string {
  const folder = env.XDG_CONFIG_HOME || env.APPDATA || join(homedir(), '.config');
  return env.CARILLON_CREDENTIALS || join(folder, 'carillon', 'credentials.json');
}

/**
 * Reads the credentials from the environment, or else from the file.
 *
 * @param otherwise - what a user can do without credentials, such as `use --sandbox`
 * @throws `CredentialsError` if there are none, they are incomplete, or others can read the file
 */
export function readCredentials(env: Environment = process.env, otherwise?: string): Credentials {
  const ways = [`Set ${names}`, 'run carillon login', ...(otherwise === undefined ? [] : [otherwise])];
  const advice = `${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}.`;
  const given = {
    baseUrl: env[variables.baseUrl],
    apiKey: env[variables.apiKey],
    clientId: env[variables.clientId],
    clientSecret: env[variables.clientSecret],
  };
  if (given.apiKey || given.clientId || given.clientSecret) return complete(given, 'the environment', advice);
  const file = credentialsFile(env);
  const stored = readPrivately(file);
  if (stored === undefined) throw new CredentialsError(`There are no credentials. ${advice}`);
  return complete(parse(stored, file), file, advice);
}

/** Writes the file, which only its owner can read. Returns its path. */
export function writeCredentials({ baseUrl, auth }: Omit<Credentials, 'from'>, env: Environment = process.env): string {
  const file = credentialsFile(env);
  const text =
    'apiKey' in auth ? { apiKey: auth.apiKey } : { clientId: auth.clientId, clientSecret: auth.clientSecret };
  writePrivately(file, `${JSON.stringify({ baseUrl, ...text }, null, 2)}\n`);
  return file;
}

interface Given {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
}

function complete({ baseUrl, apiKey, clientId, clientSecret }: Given, from: string, advice: string): Credentials {
  if (!baseUrl) throw new CredentialsError(`There is no base URL in ${from}. ${advice}`);
  if (apiKey && (clientId || clientSecret)) {
    throw new CredentialsError(`There are an API key and client credentials in ${from}. Keep one of them.`);
  }
  if (apiKey) return { baseUrl, auth: { apiKey }, from };
  if (clientId && clientSecret) return { baseUrl, auth: { clientId, clientSecret }, from };
  throw new CredentialsError(`The credentials in ${from} are not complete. ${advice}`);
}

function parse(text: string, file: string): Given {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error of the parser would quote the file.
    throw new CredentialsError(`${file} is not JSON. Run carillon login again.`);
  }
  const read = (name: keyof Given): string | undefined => {
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    return typeof found === 'string' ? found : undefined;
  };
  return {
    baseUrl: read('baseUrl'),
    apiKey: read('apiKey'),
    clientId: read('clientId'),
    clientSecret: read('clientSecret'),
  };
}
