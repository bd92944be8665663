import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from './is-record.ts';
import { CredentialsError, readPrivately, requireFile, writePrivately } from './private-file.ts';

export { CredentialsError } from './private-file.ts';

/** Address and credentials of the service. */
export interface Credentials {
  baseUrl: string;
  auth: { apiKey: string } | { clientId: string; clientSecret: string };
  /** Source of the credentials: `the environment`, or the path of the file. */
  from: string;
  /** Name of the profile in the file. Absent for credentials from the environment. */
  profile?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Names of the environment variables. If one of these variables is set, the file is ignored, so that two accounts are never
 * mixed.
 */
export const variables = {
  baseUrl: 'CARILLON_BASE_URL',
  apiKey: 'CARILLON_API_KEY',
  clientId: 'CARILLON_CLIENT_ID',
  clientSecret: 'CARILLON_CLIENT_SECRET',
} as const;

/** Name of the variable that selects a profile. */
export const profileVariable = 'CARILLON_PROFILE';

/** Profile to use if no profile is specified. */
export const defaultProfile = 'default';

const names = `${variables.baseUrl} and ${variables.apiKey} (or ${variables.clientId} and ${variables.clientSecret})`;

/** Path of the file that `carillon login` writes. `CARILLON_CREDENTIALS` overrides the path. */
export function credentialsFile(env: Environment = process.env): string {
  const folder = env.XDG_CONFIG_HOME || env.APPDATA || join(homedir(), '.config');
  return env.CARILLON_CREDENTIALS || join(folder, 'carillon', 'credentials.json');
}

/**
 * Returns the name of the profile that the environment selects, or `default` if it selects none.
 *
 * @throws `CredentialsError` if the name is not valid
 */
export function profileName(env: Environment = process.env): string {
  const name = env[profileVariable] || defaultProfile;
  // The name becomes part of file names.
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw new CredentialsError(
      `A profile name has 1 to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or a digit. ${JSON.stringify(name.slice(0, 80))} is not a profile name.`,
    );
  return name;
}

/**
 * Reads the credentials from the environment if one of the variables is set, otherwise from the profile {@link profileName} in
 * the file.
 *
 * @param otherwise - advice for a user without credentials, such as `use --sandbox`
 * @throws `CredentialsError` if credentials are missing or incomplete, other users can read the file, or both a variable and a
 * profile are set
 */
export function readCredentials(env: Environment = process.env, otherwise?: string): Credentials {
  const given = {
    baseUrl: env[variables.baseUrl],
    apiKey: env[variables.apiKey],
    clientId: env[variables.clientId],
    clientSecret: env[variables.clientSecret],
  };
  // Do not combine an address from the environment with credentials from the file, which may be for another service.
  const set = Object.entries(variables).flatMap(([name, variable]) => (given[name as keyof Given] ? [variable] : []));
  if (set.length > 0 && env[profileVariable])
    throw new CredentialsError(
      `${set.join(' and ')} cannot be combined with the profile ${profileName(env)}. Unset the variables to use the profile, or omit the profile (--profile, ${profileVariable}) to use the variables.`,
    );
  if (set.length > 0) {
    const unset = `or unset ${set.join(' and ')} to use the credentials that carillon login stored`;
    return complete(given, 'the environment', `Set ${names}, ${unset}.`);
  }
  const profile = profileName(env);
  const login = profile === defaultProfile ? 'carillon login' : `carillon login --profile ${profile}`;
  const ways = [`Set ${names}`, `run ${login}`, ...(otherwise === undefined ? [] : [otherwise])];
  const advice = `${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}.`;
  const file = credentialsFile(env);
  const profiles = readFile(file);
  const stored = profiles.get(profile);
  if (stored === undefined) {
    if (profiles.size === 0) throw new CredentialsError(`There are no credentials. ${advice}`);
    throw unknownProfile(profile, profiles, advice);
  }
  return { ...complete(stored, file, advice), profile };
}

function unknownProfile(name: string, profiles: ReadonlyMap<string, Profile>, advice: string): CredentialsError {
  return new CredentialsError(
    `There is no profile ${name}. The profiles are ${[...profiles.keys()].join(', ')}. ${advice}`.trimEnd(),
  );
}

/** Returns the name and the address of each profile in the file. */
export function listProfiles(env: Environment = process.env): { name: string; baseUrl: string }[] {
  const profiles = readFile(credentialsFile(env));
  return [...profiles].map(([name, { baseUrl = '' }]) => ({ name, baseUrl }));
}

/**
 * Stores credentials in the file, as the profile that the environment selects. Keeps other profiles unchanged. Only the owner can
 * read the file.
 *
 * @returns path of the file
 */
export function writeCredentials(
  { baseUrl, auth }: Omit<Credentials, 'from' | 'profile'>,
  env: Environment = process.env,
  settings: LoginSettings = {},
): string {
  const file = credentialsFile(env);
  const stored =
    'apiKey' in auth ? { apiKey: auth.apiKey } : { clientId: auth.clientId, clientSecret: auth.clientSecret };
  // Also accept a file that other users can read. Writing makes the file private.
  const profiles = readFile(file, false);
  writeFile(file, new Map([...profiles, [profileName(env), { baseUrl, ...stored, ...settings }]]));
  return file;
}

/**
 * Removes the profile that the environment selects from the file.
 *
 * @returns path of the file
 * @throws `CredentialsError` if the profile does not exist
 */
export function removeCredentials(env: Environment = process.env): string {
  const file = credentialsFile(env);
  const profiles = readFile(file, false);
  const profile = profileName(env);
  if (!profiles.delete(profile)) {
    const known =
      profiles.size === 0 ? 'There are no credentials' : unknownProfile(profile, profiles, '').message.trim();
    throw new CredentialsError(`${known.replace(/\.$/, '')}. Nothing was removed.`);
  }
  if (profiles.size === 0) rmSync(file);
  else writeFile(file, profiles);
  return file;
}

/** Removes the file with all profiles. Returns its path, or `undefined` if it does not exist. */
export function removeAllCredentials(env: Environment = process.env): string | undefined {
  const file = credentialsFile(env);
  if (!existsSync(file)) return undefined;
  requireFile(file);
  rmSync(file);
  return file;
}

/** Settings of `carillon login`. */
export interface LoginSettings {
  /** Whether modifying calls require a terminal. */
  changesNeedTerminal?: true;
}

/**
 * Whether any profile in the file says that changes require a terminal. If so, the rule applies to all profiles and to
 * credentials from the environment.
 */
export function changesNeedTerminal(env: Environment = process.env): boolean {
  return [...readFile(credentialsFile(env)).values()].some((profile) => profile.changesNeedTerminal === true);
}

/** Message of a command that rejects a change because of {@link changesNeedTerminal}. */
export const needsTerminal =
  'On this machine, calls that change data must be run in a terminal (set by carillon login --changes-need-terminal). Nothing was sent.';

interface Given {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
}

/** Stored data for a profile. */
type Profile = Given & LoginSettings;

function complete({ baseUrl, apiKey, clientId, clientSecret }: Given, from: string, advice: string): Credentials {
  if (!baseUrl) throw new CredentialsError(`There is no base URL in ${from}. ${advice}`);
  if (apiKey && (clientId || clientSecret)) {
    throw new CredentialsError(`Both an API key and client credentials are in ${from}. Keep only one of them.`);
  }
  if (apiKey) return { baseUrl, auth: { apiKey }, from };
  if (clientId && clientSecret) return { baseUrl, auth: { clientId, clientSecret }, from };
  throw new CredentialsError(`The credentials in ${from} are incomplete. ${advice}`);
}

/**
 * Reads the profiles in the file.
 *
 * @param isPrivate - whether a file that other users can read is invalid
 */
function readFile(file: string, isPrivate = true): Map<string, Profile> {
  requireFile(file);
  const stored = isPrivate || !existsSync(file) ? readPrivately(file) : readFileSync(file, 'utf8');
  if (stored === undefined) return new Map();
  const value = parseFile(stored, file);
  const profiles = Object.entries(isRecord(value.profiles) ? value.profiles : {}).map(
    ([name, profile]): [string, Profile] => [name, profileOf(isRecord(profile) ? profile : {})],
  );
  return new Map(profiles);
}

function writeFile(file: string, profiles: ReadonlyMap<string, Profile>): void {
  writePrivately(file, `${JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)}\n`);
}

function parseFile(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    // Omit the error of the parser, which would quote the file.
    throw new CredentialsError(
      `${file} is not JSON. Remove it with carillon logout --all, and run carillon login again.`,
    );
  }
}

function profileOf(value: Readonly<Record<string, unknown>>): Profile {
  const read = (name: keyof Given): string | undefined => {
    const found = value[name];
    return typeof found === 'string' ? found : undefined;
  };
  return {
    baseUrl: read('baseUrl'),
    apiKey: read('apiKey'),
    clientId: read('clientId'),
    clientSecret: read('clientSecret'),
    ...(value.changesNeedTerminal === true && { changesNeedTerminal: true }),
  };
}

/** Rewords a message about an option of the client for users of the command, where the base URL is an environment variable. */
export function inTerminal(message: string): string {
  return message.replace(/^baseUrl/, variables.baseUrl).replace(/, or set allowInsecureHttp: true$/, '');
}
