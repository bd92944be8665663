import type { Client, ClientOptions } from 'carillon';
import type { Sandbox } from 'carillon-sandbox';
import { type ConnectOptions, connect } from '../catalogue/index.ts';
import { Mask } from '../catalogue/mask.ts';
import { maxPeople } from '../catalogue/needs-consent.ts';
import { CallLists } from './call-lists.ts';
import { KeptSets } from './call-set.ts';
import { Consents } from './consent.ts';
import type { Policy } from './policy.ts';

/** State that all connections to one server share. */
export interface Context {
  readonly client: Client;
  readonly policy: Policy;
  readonly consents: Consents;
  /** Files in which the person can read every call in a set. */
  readonly lists: CallLists;
  /** Interrupted sets of calls. */
  readonly sets: KeptSets;
  /** Hides the credentials in all output of the server. */
  readonly mask: Mask;
  /** The embedded sandbox, if the server uses a sandbox. */
  readonly sandbox: Sandbox | undefined;
  readonly version: string;
  /** Destination of calls, described for people: the address of the service, or the sandbox. */
  readonly where: string;
}

/** Context options. */
export interface ContextOptions {
  readonly policy?: Partial<Policy>;
  /** Use an embedded sandbox. */
  readonly sandbox?: boolean;
  readonly env?: ConnectOptions['env'];
  /** Receives warnings, which contain no credentials. */
  readonly warn: (text: string) => void;
  readonly now?: () => number;
  /** Version of the package. */
  readonly version: string;
}

/**
 * Connects to the service or to an embedded sandbox.
 *
 * @throws `CredentialsError` if requests go to the service and credentials are missing
 */
export async function createContext({
  policy = {},
  sandbox = false,
  env,
  warn,
  now,
  version,
}: ContextOptions): Promise<Context> {
  const mask = new Mask();
  const logger = { warn: (text: string) => warn(mask.apply(text)) };
  const connection = await connect({
    sandbox,
    ...(env && { env }),
    options: { logger, ...(!sandbox && { fetch: tokenHidingFetch(mask) }) },
  });
  if (!sandbox) mask.addCredentials(connection.clientOptions);
  return {
    client: connection.client,
    policy: { readOnly: false, allow: [], maxPeople, ...policy },
    consents: new Consents(now),
    lists: new CallLists((text) => mask.apply(text)),
    sets: new KeptSets(now),
    mask,
    sandbox: connection.sandbox,
    version,
    where: sandbox ? 'an embedded sandbox (nothing reaches the service)' : connection.baseUrl,
  };
}

/** Adds the access tokens that the client obtains to the mask. */
function tokenHidingFetch(mask: Mask): NonNullable<ClientOptions['fetch']> {
  return (url, init) => {
    const [, token] = /^Bearer (.+)$/.exec(init.headers.authorization ?? '') ?? [];
    if (token !== undefined) mask.add(token);
    return fetch(url, init);
  };
}
