/**
 * One typed client for a platform's CRM, messaging-app campaigns, web push and transactional email.
 *
 * @module carillon
 */
export { type Client, createClient } from './client.ts';
export * from './common.ts';
// The types of clients of one part also let the compiler find `carillon/crm`, to whose records users add their own fields.
export type { CrmClient } from './crm.ts';
export type { EmailClient } from './email.ts';
export type { MessagingClient } from './messaging.ts';
export * as Crm from './parts/crm.ts';
export * as Email from './parts/email.ts';
export * as Messaging from './parts/messaging.ts';
