/**
 * Pipelines, deals, contacts, tags, payments and boards (CRM document). Exports a client for this product only, and its types and
 * constants.
 *
 * @module carillon/crm
 */
import type { CrmMethods } from '../../generated/crm/methods.ts';
import { crmOperations } from '../../generated/crm/operations.ts';
import type { CrmPaths } from '../../generated/crm/types.ts';
import { assemble, type Configurable } from './assemble.ts';
import type { ClientOptions } from './core/options.ts';
import type { PathClient } from './core/path-client.ts';
import { createProductClient } from './product-client.ts';

export * from './common.ts';
export * from './types/crm-types.ts';

/** A client for this product. Call operations as methods, or by HTTP method and path. */
export interface CrmClient extends PathClient<CrmPaths>, CrmMethods, Configurable {}

/**
 * Creates a client for this product only.
 *
 * @param options - address and credentials; the other options have defaults
 * @returns a client, which sends no request before the first call
 * @throws `ConfigError` if an option is invalid
 * @example
 * ```ts
 * import { createCrmClient } from 'carillon/crm';
 *
 * const api = createCrmClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * console.log(await api.deals.get({ dealId: 501 }));
 * ```
 */
export function createCrmClient(options: ClientOptions): CrmClient {
  return assemble(options, (settings, authorizer) =>
    createProductClient<CrmPaths, CrmMethods>(crmOperations, settings, authorizer),
  );
}
