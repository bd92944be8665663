import { operations } from '../../generated/operations.ts';
import type { ProductMethods, ProductPaths } from '../../generated/types.ts';
import { assemble, type Configurable, mapProducts } from './assemble.ts';
import type { ClientOptions } from './core/options.ts';
import type { PathClientOf } from './core/path-client.ts';
import { createProductClient } from './product-client.ts';

/** The client of each product: its methods, and a function for each HTTP method. */
type ClientParts = { readonly [Name in keyof ProductMethods]: PathClientOf<ProductPaths[Name]> & ProductMethods[Name] };

/** One client for all products of the platform. */
export interface Client extends ClientParts, Configurable {}

/**
 * Creates a client.
 *
 * @param options - address and credentials; the other options have defaults
 * @returns a client, which sends no request before the first call
 * @throws `ConfigError` if an option is invalid
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const deal = await api.crm.deals.get({ dealId: 501 });
 * console.log(deal.name);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  return assemble(options, (settings, authorizer) =>
    mapProducts<ClientParts>(operations, (table) => createProductClient(table, settings, authorizer)),
  );
}
