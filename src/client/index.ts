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
export * as Crm from './parts/crm.ts';
export * as Email from './parts/email.ts';
export * as Messaging from './parts/messaging.ts';
