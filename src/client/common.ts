/** Exports of every entry point: errors, their type guard, and the types of options and results. */
export type { Configurable, DefaultOptions } from './assemble.ts';
export type { BatchOptions, BatchProgress } from './core/batch-options.ts';
export type { Batch, BatchOutcome } from './core/batch-outcome.ts';
export { runInBatches } from './core/batches.ts';
export type { Call, WithResponse } from './core/call.ts';
export type { HookError } from './core/describe-error.ts';
export * from './core/errors/api-error.ts';
export { type CallDetails, CarillonError, type ErrorName, type Sent } from './core/errors/base.ts';
export { BatchStoppedError } from './core/errors/batch-error.ts';
export * from './core/errors/incomplete-list-error.ts';
export * from './core/errors/is-carillon-error.ts';
export * from './core/errors/local-errors.ts';
export type {
  HookCall,
  HookRequest,
  HookResponse,
  HookStart,
  HookTry,
  Middleware,
} from './core/hooks.ts';
export type { List } from './core/list.ts';
export type { BlobLike, FileContent, MethodOptions } from './core/method.ts';
export type {
  ApiKeyAuth,
  Auth,
  CallOptions,
  ClientCredentialsAuth,
  ClientOptions,
  FetchInit,
  FetchResponse,
  GetTokenAuth,
  LogFields,
  Logger,
  ReplyValidator,
} from './core/options.ts';
export type { Page } from './core/page.ts';
export type { PathCall, PathClient, PathTable } from './core/path-client.ts';
export type { PathResult } from './core/path-result.ts';
export type { StoredToken, TokenStore } from './core/token-store.ts';
export type { CallMessage, TryMessage } from './core/trace.ts';
