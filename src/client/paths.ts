/**
 * A client that calls by path only, which is the smallest entry point: `api.crm.GET('/deals/{dealId}', { params: … })`.
 *
 * @module carillon/paths
 */
import { crmOperations } from '../../generated/crm/operations.ts';
import type { CrmPaths } from '../../generated/crm/paths.ts';
import { emailOperations } from '../../generated/email/operations.ts';
import type { EmailPaths } from '../../generated/email/paths.ts';
import { messagingOperations } from '../../generated/messaging/operations.ts';
import type { MessagingPaths } from '../../generated/messaging/paths.ts';
import type { OperationTable } from '../shared/operation.ts';
import { assemble, type Configurable } from './assemble.ts';
import { createNamespace } from './core/call.ts';
import type { ClientOptions } from './core/options.ts';
import { createPathClient, type PathClient, type PathTable } from './core/path-client.ts';

export * from './common.ts';
// Lets the compiler find `carillon/crm` if a program that imports only this entry point adds its own fields to a record.
export type {} from './crm.ts';
export type {} from './email.ts';
export type {} from './messaging.ts';
export type * as Crm from './parts/crm.ts';
export type * as Email from './parts/email.ts';
export type * as Messaging from './parts/messaging.ts';

/** A client for all three parts of the platform that calls by path only. */
export interface PathsClient extends Configurable {
  /** Pipelines, deals, contacts, tags, payments and boards (CRM document). */
  readonly crm: PathClient<CrmPaths>;
  /** Messaging-app campaigns, phone blacklist and web push (messaging document). */
  readonly messaging: PathClient<MessagingPaths>;
  /** Transactional email (email document). */
  readonly email: PathClient<EmailPaths>;
}

/**
 * Creates a client that calls by path, without methods.
 *
 * @param options - address and credentials; the other options have defaults
 * @returns a client; it sends no request before the first call
 * @throws `ConfigError` if an option is invalid
 * @example
 * ```ts
 * import { createPathsClient } from 'carillon/paths';
 *
 * const api = createPathsClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const { data, error } = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
 * if (error) console.error(error.message);
 * else console.log(data.name);
 * ```
 */
export function createPathsClient(options: ClientOptions): PathsClient {
  return assemble(options, (settings, authorizer) => {
    const part = <Paths extends PathTable<Paths>>(table: OperationTable): PathClient<Paths> =>
      createPathClient(table, createNamespace(table.base, settings, authorizer));
    return {
      crm: part<CrmPaths>(crmOperations),
      messaging: part<MessagingPaths>(messagingOperations),
      email: part<EmailPaths>(emailOperations),
    };
  });
}
