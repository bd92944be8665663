/**
 * One typed client for a platform's CRM, messaging-app campaigns, web push and transactional email.
 *
 * @module carillon
 */
export { type Client, createClient } from './client.ts';
export * from './common.ts';
// These types also let the compiler find `carillon/crm`, so that users can add their own fields to its records.
export type { CrmClient } from './crm.ts';
export type { EmailClient } from './email.ts';
export type { MessagingClient } from './messaging.ts';
export * as Crm from './types/crm-types.ts';
export * as Email from './types/email-types.ts';
export * as Messaging from './types/messaging-types.ts';
