import { type Client, type ClientOptions, createClient } from 'carillon';
import type { Sandbox } from 'carillon-sandbox';
import { type Credentials, readCredentials } from '../../shared/credentials.ts';
import { useEnvironmentProxy } from '../../shared/environment-proxy.ts';

/** Options of the client, with the credentials of a command. */
type ConnectedOptions = ClientOptions & Pick<Credentials, 'auth'>;

/** The client for a command, and the destination of its requests. */
export interface Connection {
  client: Client;
  /** Options that were used to create `client`. Jobs for `--each` create their own client with these options. */
  clientOptions: ConnectedOptions;
  /** Whether requests go to an embedded sandbox instead of the service. */
  isSandbox: boolean;
  /** The embedded sandbox, if `isSandbox`. */
  sandbox?: Sandbox;
  baseUrl: string;
  /** Profile of the credentials. Absent if the credentials come from the environment. */
  profile?: string;
}

/** Advice for users without credentials. */
export const withoutCredentials = 'use --sandbox';

/** Connection options. */
export interface ConnectOptions {
  /** Use an embedded sandbox with example data. The sandbox ends with the process. No credentials are read. */
  sandbox?: boolean;
  /** Environment variables (default: `process.env`). */
  env?: Readonly<Record<string, string | undefined>>;
  /** Further client options, such as `logger` and `middleware`. */
  options?: Omit<ClientOptions, 'auth' | 'baseUrl'>;
}

/** Placeholder address of the embedded sandbox, which listens on no port. */
const sandboxUrl = 'https://sandbox.invalid';

/**
 * Creates the client for a command, with credentials from the environment or from the file that `carillon login` writes.
 *
 * @throws `CredentialsError` if requests go to the service, and credentials are missing or a proxy variable does not contain a
 * proxy address
 */
export async function connect({ sandbox = false, env, options = {} }: ConnectOptions = {}): Promise<Connection> {
  if (!sandbox) {
    const { baseUrl, auth, profile } = readCredentials(env, withoutCredentials);
    await useEnvironmentProxy(env ?? process.env);
    return { ...connectionTo({ ...options, baseUrl, auth }), ...(profile !== undefined && { profile }) };
  }
  // The sandbox is loaded on demand, because it is by far the largest part of a command.
  const { createSandbox } = await import('carillon-sandbox');
  const embedded = createSandbox();
  const { fetch } = embedded;
  const connection = connectionTo({ ...options, baseUrl: sandboxUrl, auth: { apiKey: 'any' }, fetch });
  return { ...connection, isSandbox: true, sandbox: embedded };
}

/** Creates a connection to the service. */
export function connectionTo(clientOptions: ConnectedOptions): Connection {
  const { baseUrl } = clientOptions;
  return { client: createClient(clientOptions), clientOptions, isSandbox: false, baseUrl };
}
