import type { CrmMethods } from '../../generated/crm/methods.ts';
import { crmOperations } from '../../generated/crm/operations.ts';
import type { CrmPaths } from '../../generated/crm/paths.ts';
import type { EmailMethods } from '../../generated/email/methods.ts';
import { emailOperations } from '../../generated/email/operations.ts';
import type { EmailPaths } from '../../generated/email/paths.ts';
import type { MessagingMethods } from '../../generated/messaging/methods.ts';
import { messagingOperations } from '../../generated/messaging/operations.ts';
import type { MessagingPaths } from '../../generated/messaging/paths.ts';
import { assemble, type Configurable } from './assemble.ts';
import type { ClientOptions } from './core/options.ts';
import type { PathClient } from './core/path-client.ts';
import { createPart } from './part.ts';

/** One client for all three parts of the platform. */
export interface Client extends Configurable {
  /** Pipelines, deals, contacts, tags, payments and boards (CRM document). */
  readonly crm: PathClient<CrmPaths> & CrmMethods;
  /** Messaging-app campaigns, phone blacklist and web push (messaging document). */
  readonly messaging: PathClient<MessagingPaths> & MessagingMethods;
  /** Transactional email (email document). */
  readonly email: PathClient<EmailPaths> & EmailMethods;
}

/**
 * Creates a client.
 *
 * @param options - address and credentials; the other options have defaults
 * @returns a client; it sends no request before the first call
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
  return assemble(options, (settings, authorizer) => ({
    crm: createPart<CrmPaths, CrmMethods>(crmOperations, settings, authorizer),
    messaging: createPart<MessagingPaths, MessagingMethods>(messagingOperations, settings, authorizer),
    email: createPart<EmailPaths, EmailMethods>(emailOperations, settings, authorizer),
  }));
}
