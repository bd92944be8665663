/**
 * Messaging-app campaigns, phone blacklist and web push (messaging document). Exports a client for this product only, and its
 * types and constants.
 *
 * @module carillon/messaging
 */
import type { MessagingMethods } from '../../generated/messaging/methods.ts';
import { messagingOperations } from '../../generated/messaging/operations.ts';
import type { MessagingPaths } from '../../generated/messaging/types.ts';
import { assemble, type Configurable } from './assemble.ts';
import type { ClientOptions } from './core/options.ts';
import type { PathClient } from './core/path-client.ts';
import { createProductClient } from './product-client.ts';

export * from './common.ts';
export * from './types/messaging-types.ts';

/** A client for this product. Call operations as methods, or by HTTP method and path. */
export interface MessagingClient extends PathClient<MessagingPaths>, MessagingMethods, Configurable {}

/**
 * Creates a client for this product only.
 *
 * @param options - address and credentials; the other options have defaults
 * @returns a client, which sends no request before the first call
 * @throws `ConfigError` if an option is invalid
 * @example
 * ```ts
 * import { createMessagingClient } from 'carillon/messaging';
 *
 * const api = createMessagingClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * console.log(await api.campaigns.get({ id: 9001 }));
 * ```
 */
export function createMessagingClient(options: ClientOptions): MessagingClient {
  return assemble(options, (settings, authorizer) =>
    createProductClient<MessagingPaths, MessagingMethods>(messagingOperations, settings, authorizer),
  );
}
