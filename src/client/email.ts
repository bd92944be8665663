/**
 * Transactional email (email document): a client of this part alone, its types and constants.
 *
 * @module carillon/email
 */
import type { EmailMethods } from '../../generated/email/methods.ts';
import { emailOperations } from '../../generated/email/operations.ts';
import type { EmailPaths } from '../../generated/email/paths.ts';
import { assemble, type Configurable } from './assemble.ts';
import type { ClientOptions } from './core/options.ts';
import type { PathClient } from './core/path-client.ts';
import { createNamespace } from './namespace.ts';

export * from './common.ts';
export * from './parts/email.ts';

/** A client of this part: methods, and functions by path. */
export interface EmailClient extends PathClient<EmailPaths>, EmailMethods, Configurable {}

/**
 * Makes a client of this part alone.
 *
 * @param options - address and credentials; the other options have defaults
 * @returns a client; nothing is sent until a call is made
 * @throws `ConfigError` for an option that cannot work
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
    createNamespace<EmailPaths, EmailMethods>(emailOperations, settings, authorizer),
  );
}
