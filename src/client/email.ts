/**
 * Transactional email (email document). Exports a client for this product only, and its types and constants.
 *
 * @module carillon/email
 */
import type { EmailMethods } from '../../generated/email/methods.ts';
import { emailOperations } from '../../generated/email/operations.ts';
import type { EmailPaths } from '../../generated/email/types.ts';
import { assemble, type Configurable } from './assemble.ts';
import type { ClientOptions } from './core/options.ts';
import type { PathClient } from './core/path-client.ts';
import { createProductClient } from './product-client.ts';

export * from './common.ts';
export * from './types/email-types.ts';

/** A client for this product. Call operations as methods, or by HTTP method and path. */
export interface EmailClient extends PathClient<EmailPaths>, EmailMethods, Configurable {}

/**
 * Creates a client for this product only.
 *
 * @param options - address and credentials; the other options have defaults
 * @returns a client, which sends no request before the first call
 * @throws `ConfigError` if an option is invalid
 * @example
 * ```ts
 * import { createEmailClient } from 'carillon/email';
 *
 * const api = createEmailClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * console.log(await api.messages.get({ id: 'msg-2026-0001' }));
 * ```
 */
export function createEmailClient(options: ClientOptions): EmailClient {
  return assemble(options, (settings, authorizer) =>
    createProductClient<EmailPaths, EmailMethods>(emailOperations, settings, authorizer),
  );
}
