/** Exports of every entry point: errors, their type guard, and the types of options and results. */
export type {
  BlobLike,
  Call,
  CallOptions,
  FileContent,
  List,
  MethodOptions,
  Page,
  Sent,
  WithResponse,
} from '../shared/call-types.ts';
export type { Configurable, DefaultOptions } from './assemble.ts';
export type { HookError } from './core/cause.ts';
export * from './core/errors/api-error.ts';
export { type CallDetails, CarillonError, type ErrorName } from './core/errors/base.ts';
export * from './core/errors/is-carillon-error.ts';
export * from './core/errors/local-errors.ts';
export type {
  HookAttempt,
  HookCall,
  HookRequest,
  HookResponse,
  HookStart,
  Middleware,
} from './core/hooks.ts';
export type {
  ApiKeyAuth,
  Auth,
  ClientCredentialsAuth,
  ClientOptions,
  FetchInit,
  FetchResponse,
  GetTokenAuth,
  LogFields,
  Logger,
  ResponseValidator,
} from './core/options.ts';
export type { PathCall, PathClient, PathTable } from './core/path-client.ts';
export type { PathResult } from './core/read.ts';
export type { StoredToken, TokenStore } from './core/token-store.ts';
