/** What every entry exports: errors, their guards, and the types of options and results. */
export type { Configurable, DefaultOptions } from './assemble.ts';
export { type BatchOptions, type BatchOutcome, type BatchProgress, runInBatches } from './core/batches.ts';
export type { Call, WithResponse } from './core/call.ts';
export * from './core/errors/api-error.ts';
export { CarillonError, type ErrorName, isCarillonError, type Sent } from './core/errors/base.ts';
export * from './core/errors/local-errors.ts';
export type { HookRequest, HookResponse, Middleware } from './core/hooks.ts';
export type { List, Page } from './core/list.ts';
export type { MethodOptions } from './core/method.ts';
export type {
  ApiKeyAuth,
  Auth,
  CallOptions,
  ClientCredentialsAuth,
  ClientOptions,
  GetTokenAuth,
  Logger,
  ReplyValidator,
} from './core/options.ts';
export type { PathClient, PathTable } from './core/path-client.ts';
export type { PathResult } from './core/path-result.ts';
export type { StoredToken, TokenStore } from './core/token-store.ts';
