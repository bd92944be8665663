import type { Middleware } from './hooks.ts';
import type { TokenStore } from './token-store.ts';

/** A static API key, made in the account settings and sent as the bearer token (Document 1 §5). */
export interface ApiKeyAuth {
  apiKey: string;
}

/** OAuth 2.0 client credentials: the client fetches access tokens, renews them ahead of expiry and shares them. */
export interface ClientCredentialsAuth {
  clientId: string;
  clientSecret: string;
  /** Where tokens are shared between processes; in memory of this process where it is not given. */
  tokenStore?: TokenStore;
  /** A client secret is refused in a browser, where every visitor can read it. `true` insists. */
  allowBrowser?: boolean;
}

/** A function that supplies the token. */
export interface GetTokenAuth {
  /**
   * @param request - `forceRefresh` is true after the service refused the token given last; `signal` is the call's own
   * @returns the bearer token
   */
  getToken(request: { forceRefresh: boolean; signal: AbortSignal }): string | Promise<string>;
}

/** How requests are authorised; `null` behind a proxy that adds the credential. */
export type Auth = ApiKeyAuth | ClientCredentialsAuth | GetTokenAuth | null;

/** Where the client reports what a user should know and no call fails of; `console` fits. Messages hold no secrets. */
export interface Logger {
  warn(message: string): void;
  /** Told of every retry, where it is there. */
  debug?(message: string): void;
}

/** Compares replies with their schemas; made by `createReplyValidator` of `carillon/validate`. */
export interface ReplyValidator {
  /** What to do with a reply that does not fit: tell the logger, or reject the call with a `ResponseError`. */
  readonly onInvalid: 'report' | 'throw';
  /** What is wrong with the body of a successful reply, without its values; an empty list where nothing is. */
  check(operationId: string, body: unknown): readonly string[];
}

/** Options of a client. */
export interface ClientOptions {
  /**
   * Address of the service, such as `https://api.example.com`. A path prefix is kept, a trailing slash dropped.
   * Credentials travel over `https` only; loopback addresses are exempt.
   */
  baseUrl: string;
  /** How requests are authorised. */
  auth: Auth;
  /**
   * Used instead of the global `fetch`, called as `fetch(url, init)`.
   * @default globalThis.fetch
   */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers of every request. */
  headers?: Record<string, string>;
  /**
   * Deadline of a whole call in milliseconds: token, every try, every wait and the body together.
   * @default 60_000
   */
  timeout?: number;
  /**
   * How often a call is tried again after it failed in a way that a later try may change. Operations that create or send
   * something are repeated only when they certainly were not processed.
   * @default 2
   */
  maxRetries?: number;
  /** @default warnings go to the console */
  logger?: Logger;
  /** Observe every try, in this order. */
  middleware?: Middleware[];
  /**
   * Shows bodies to `middleware`. They can hold personal data; those of the token operation are never shown.
   * @default false
   */
  showBodies?: boolean;
  /** Compares replies with the specs. Without it, nothing is validated. */
  validate?: ReplyValidator;
  /**
   * Permits credentials over plain `http` to an address that is not loopback.
   * @default false
   */
  allowInsecureHttp?: boolean;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call: it rejects with `signal.reason`. */
  signal?: AbortSignal;
  /** Deadline of this call in milliseconds, instead of the client's. */
  timeout?: number;
  /** How often this call is tried again, instead of the client's. */
  maxRetries?: number;
  /** Headers of this call, over those of the client. */
  headers?: Record<string, string>;
}
