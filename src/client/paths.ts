/**
 * A client that calls operations by HTTP method and path only. This is the smallest entry point. Example:
 * `api.crm.GET('/deals/{dealId}', { params: … })`.
 *
 * @module carillon/paths
 */
import { operations } from '../../generated/operations.ts';
import type { ProductPaths } from '../../generated/types.ts';
import { assemble, type Configurable, mapProducts } from './assemble.ts';
import { createProductContext } from './core/call.ts';
import type { ClientOptions } from './core/options.ts';
import { createPathClient, type PathClientOf } from './core/path-client.ts';

export * from './common.ts';
// Lets the compiler find `carillon/crm` if a program that imports only this entry point adds its own fields to a record.
export type {} from './crm.ts';
export type {} from './email.ts';
export type {} from './messaging.ts';
export type * as Crm from './types/crm-types.ts';
export type * as Email from './types/email-types.ts';
export type * as Messaging from './types/messaging-types.ts';

/** The client of each product: a function for each HTTP method. */
type PathParts = { readonly [Name in keyof ProductPaths]: PathClientOf<ProductPaths[Name]> };

/** A client for all products of the platform that calls operations by HTTP method and path only. */
export interface PathsClient extends PathParts, Configurable {}

/**
 * Creates a client that calls operations by HTTP method and path only.
 *
 * @param options - address and credentials; the other options have defaults
 * @returns a client, which sends no request before the first call
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
  return assemble(options, (settings, authorizer) =>
    mapProducts<PathParts>(operations, (table) =>
      createPathClient(table, createProductContext(table.base, settings, authorizer)),
    ),
  );
}
