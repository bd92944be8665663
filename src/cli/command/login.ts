import { type Auth, ConfigError, createClient } from 'carillon';
import { explainBaseUrl } from '../../shared/base-url.ts';
import { UsageError } from '../../shared/command-line.ts';
import {
  credentialsFile,
  defaultProfile,
  listProfiles,
  changesNeedTerminal as needTerminal,
  profileName,
  profileVariable,
  readCredentials,
  removeAllCredentials,
  removeCredentials,
  variables,
  writeCredentials,
} from '../../shared/credentials.ts';
import type { Io } from './io.ts';

/** Options of `carillon login`. */
export interface LoginOptions {
  baseUrl?: string;
  clientId?: string;
  profile?: string;
  changesNeedTerminal?: true;
}

/**
 * Asks for the address and credentials, and stores them. If there is no terminal, reads the key or the secret from standard
 * input.
 */
export async function login({ baseUrl, clientId, changesNeedTerminal }: LoginOptions, io: Io): Promise<void> {
  const profile = profileName(io.env);
  const isAsked = io.isTerminal.input && io.isTerminal.error;
  if (baseUrl === undefined && !isAsked)
    throw new UsageError('If there is no terminal, carillon login needs --base-url.');
  const address = (baseUrl ?? (await io.ask('Address of the service (https://…): '))).trim();
  const what = clientId === undefined ? 'API key' : 'Client secret';
  const secret = (isAsked ? await io.ask(`${what} (hidden): `, { hidden: true }) : await io.readInput()).trim();
  if (secret === '') throw new UsageError(`The ${what.toLowerCase()} is empty. Nothing was stored.`);
  const auth = clientId === undefined ? { apiKey: secret } : { clientId, clientSecret: secret };
  check(address, auth);
  const file = writeCredentials({ baseUrl: address, auth }, io.env, {
    ...(changesNeedTerminal && { changesNeedTerminal }),
  });
  const flag = profile === defaultProfile ? '' : ` --profile ${profile}`;
  const stored = profile === defaultProfile ? 'Stored' : `Stored as profile ${profile}`;
  io.note(
    `${stored} in ${file} (mode 600). Check the credentials with: carillon whoami${flag}, and carillon crm users list${flag}\n`,
  );
  if (Object.values(variables).some((name) => io.env[name])) {
    io.note(`The environment also contains credentials, which override ${credentialsFile(io.env)}.\n`);
  }
}

/** Removes the credentials of a profile, or of all profiles. Sends no request. */
export async function logout({ all = false }: { all?: boolean }, io: Io): Promise<void> {
  if (all && io.env[profileVariable]) throw new UsageError('carillon logout takes --profile or --all, not both.');
  const what = all ? 'all profiles' : `the profile ${profileName(io.env)}`;
  const file = all ? removeAllCredentials(io.env) : removeCredentials(io.env);
  io.note(
    file === undefined
      ? 'There are no credentials.\n'
      : `Removed ${what} from ${file}. The service still accepts the key.\n`,
  );
}

/** Shows the address that calls go to, the kind of credential, and where both come from. Sends no request. */
export async function whoAmI(io: Io): Promise<void> {
  const { baseUrl, auth, from, profile } = readCredentials(io.env);
  const kind = 'apiKey' in auth ? 'API key' : `client credentials of ${auth.clientId}`;
  await io.write(`address     ${baseUrl}\ncredential  ${kind}\nfrom        ${from}\n`);
  if (profile !== undefined) await io.write(`profile     ${profile}\n`);
  if (needTerminal(io.env)) await io.write('changes     need a terminal\n');
}

/** Shows the profiles and their addresses, and marks the profile that calls use. */
export async function profiles(io: Io): Promise<void> {
  const found = listProfiles(io.env);
  if (found.length === 0) io.note('There are no profiles. Run carillon login.\n');
  const longest = Math.max(...found.map(({ name }) => name.length));
  const used = profileName(io.env);
  for (const { name, baseUrl } of found)
    await io.write(`${name === used ? '*' : ' '} ${name.padEnd(longest)}  ${baseUrl}\n`);
}

/** Checks the address and credentials before they are stored. The client throws an error if they are invalid. */
function check(baseUrl: string, auth: Auth): void {
  createClient({ baseUrl, auth });
  // A terminal has no page against which a path could be resolved.
  if (baseUrl.startsWith('/')) throw new ConfigError(explainBaseUrl(baseUrl));
}
