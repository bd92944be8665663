import { crmOperations } from '../generated/crm/operations.ts';
import type { CrmPaths } from '../generated/crm/paths.ts';
import { emailOperations } from '../generated/email/operations.ts';
import type { EmailPaths } from '../generated/email/paths.ts';
import { messagingOperations } from '../generated/messaging/operations.ts';
import type { MessagingPaths } from '../generated/messaging/paths.ts';
import { type Authorizer, createAuthorizer } from './core/authorizer.ts';
import type { ClientOptions } from './core/options.ts';
import { createPathClient, type PathClient } from './core/path-client.ts';
import { readSettings, type Settings } from './core/settings.ts';
import { createClientCredentials } from './token.ts';

/** Options that {@link Client.withOptions} can change: everything but where and as whom. */
export type DefaultOptions = Omit<Partial<ClientOptions>, 'auth' | 'baseUrl' | 'allowInsecureHttp'>;

/** One client for all three parts of the platform. */
export interface Client {
  /** Pipelines, deals, contacts, tags, payments and boards (Document 1). */
  readonly crm: PathClient<CrmPaths>;
  /** Messaging-app campaigns, phone blacklist and web push (Document 2). */
  readonly messaging: PathClient<MessagingPaths>;
  /** Transactional email (Document 3). */
  readonly email: PathClient<EmailPaths>;
  /** A client with other defaults over the same credential and token. */
  withOptions(options: DefaultOptions): Client;
}

/**
 * Makes a client.
 *
 * @param options - where the service is and how requests are authorised; the rest has defaults
 * @returns a client; nothing is sent until a call is made
 * @throws `ConfigError` for an option that cannot work
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const { data, error } = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
 * if (error) console.error(error.message);
 * else console.log(data.name);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const settings = readSettings(options);
  const authorizer = createAuthorizer(options.auth, (auth) => createClientCredentials(auth, settings));
  return assemble(options, settings, authorizer);
}

function assemble(options: ClientOptions, settings: Settings, authorizer: Authorizer): Client {
  return {
    crm: createPathClient<CrmPaths>(crmOperations, settings, authorizer),
    messaging: createPathClient<MessagingPaths>(messagingOperations, settings, authorizer),
    email: createPathClient<EmailPaths>(emailOperations, settings, authorizer),
    withOptions(changes) {
      const merged = { ...options, ...changes, headers: { ...options.headers, ...changes.headers } };
      return assemble(merged, readSettings(merged), authorizer);
    },
  };
}
