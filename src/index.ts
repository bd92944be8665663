/**
 * One typed client for a platform's CRM, messaging-app campaigns, web push and transactional email.
 *
 * @module carillon
 */
export { type Client, createClient } from './client.ts';
export * from './common.ts';
export * as Crm from './crm.ts';
export * as Email from './email.ts';
export * as Messaging from './messaging.ts';
