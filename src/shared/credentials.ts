import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from './is-record.ts';
import { CredentialsError, readPrivately, writePrivately } from './private-file.ts';

export { CredentialsError } from './private-file.ts';

/** Address and credentials of the service. */
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
 * Reads the credentials from the environment if one of its variables is set, or else from the file.
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
  const file = credentialsFile(env);
  // An address alone must not send to the account of the file: somebody meant another service.
  const set = Object.entries(variables).flatMap(([name, variable]) => (given[name as keyof Given] ? [variable] : []));
  if (set.length > 0) {
    const unset = `or unset ${set.join(' and ')} to use those of carillon login`;
    return complete(given, 'the environment', `Set ${names}, ${unset}.`);
  }
  const stored = readPrivately(file);
  if (stored === undefined) throw new CredentialsError(`There are no credentials. ${advice}`);
  return complete(parse(stored, file), file, advice);
}

/** Writes the file, which only its owner can read. Returns its path. */
export function writeCredentials(
  { baseUrl, auth }: Omit<Credentials, 'from'>,
  env: Environment = process.env,
  settings: Settings = {},
): string {
  const file = credentialsFile(env);
  const text =
    'apiKey' in auth ? { apiKey: auth.apiKey } : { clientId: auth.clientId, clientSecret: auth.clientSecret };
  writePrivately(file, `${JSON.stringify({ baseUrl, ...text, ...settings }, null, 2)}\n`);
  return file;
}

/** Settings of `carillon login`. */
export interface Settings {
  /** Whether calls that change something need a terminal. */
  changesNeedTerminal?: true;
}

/** Whether the file says that changes need a terminal. It counts also for credentials of the environment. */
export function changesNeedTerminal(env: Environment = process.env): boolean {
  const file = credentialsFile(env);
  const stored = readPrivately(file);
  return stored !== undefined && parseFile(stored, file).changesNeedTerminal === true;
}

/** The message of a command that refuses a change because of {@link changesNeedTerminal}. */
export const needsTerminal =
  'On this machine, changes need a terminal (carillon login --changes-need-terminal). A person can run this command there. Nothing was sent.';

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

function parseFile(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    // The error of the parser would quote the file.
    throw new CredentialsError(`${file} is not JSON. Run carillon login again.`);
  }
}

function parse(text: string, file: string): Given {
  const value = parseFile(text, file);
  const read = (name: keyof Given): string | undefined => {
    const found = value[name];
    return typeof found === 'string' ? found : undefined;
  };
  return {
    baseUrl: read('baseUrl'),
    apiKey: read('apiKey'),
    clientId: read('clientId'),
    clientSecret: read('clientSecret'),
  };
}

/** A message of the client about its options, in the words of a command: the address is a variable. */
export function inTerminal(message: string): string {
  return message.replace(/^baseUrl/, variables.baseUrl).replace(/, or set allowInsecureHttp: true$/, '');
}
