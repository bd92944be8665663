/**
 * One typed client for a platform's CRM, messaging-app campaigns, web push and transactional email.
 *
 * @module
 */
export { type Client, createClient, type DefaultOptions } from './client.ts';
export * from './core/errors/api-error.ts';
export { CarillonError, type ErrorName, isCarillonError, type Sent } from './core/errors/base.ts';
export * from './core/errors/local-errors.ts';
export type {
  ApiKeyAuth,
  Auth,
  CallOptions,
  ClientCredentialsAuth,
  ClientOptions,
  GetTokenAuth,
  Logger,
} from './core/options.ts';
export type { PathClient, PathResult, PathTable } from './core/path-client.ts';
export type { StoredToken, TokenStore } from './core/token-store.ts';
