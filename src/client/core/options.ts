import type { Middleware } from './hooks.ts';
import type { TokenStore } from './token-store.ts';

/**
 * A static API key, made in the account settings and sent as the bearer token.
 *
 * Source: CRM document, section 5.
 *
 * @example
 * ```ts
 * import type { ApiKeyAuth } from 'carillon';
 *
 * const auth: ApiKeyAuth = { apiKey: 'my-key' };
 * ```
 */
export interface ApiKeyAuth {
  /** The key: visible ASCII characters, without `Bearer`. */
  apiKey: string;
  /**
   * In a browser, where every visitor can read it, an API key is refused. `true` allows it. Not needed for a loopback
   * address or with a custom `fetch`.
   * @default false
   */
  allowBrowser?: boolean | undefined;
}

/**
 * OAuth 2.0 client credentials: the client fetches access tokens, renews them ahead of expiry and shares them.
 *
 * Source: CRM document, section 5.
 *
 * @example
 * ```ts
 * import type { ClientCredentialsAuth } from 'carillon';
 *
 * const auth: ClientCredentialsAuth = { clientId: 'my-id', clientSecret: 'my-secret' };
 * ```
 */
export interface ClientCredentialsAuth {
  /** The client's id, as the account settings show it. */
  clientId: string;
  /** The client's secret. No error, log line, hook or `console.log` of the client shows it. */
  clientSecret: string;
  /** Shares tokens between processes. Without it, tokens stay in the memory of this process. */
  tokenStore?: TokenStore | undefined;
  /**
   * In a browser, where every visitor can read it, a client secret is refused. `true` allows it. Not needed for a loopback
   * address or with a custom `fetch`.
   * @default false
   */
  allowBrowser?: boolean | undefined;
}

/**
 * A function that supplies the token.
 *
 * @example
 * ```ts
 * import type { GetTokenAuth } from 'carillon';
 *
 * const auth: GetTokenAuth = {
 *   async getToken({ forceRefresh, signal }) {
 *     const answer = await fetch(`/my-token?fresh=${forceRefresh}`, { signal });
 *     return answer.text();
 *   },
 * };
 * ```
 */
export interface GetTokenAuth {
  /**
   * Gives the token for a call. What it throws, and a token that is not visible ASCII, becomes a `TokenError`.
   *
   * @param request - `forceRefresh` is true after the service refused a token: calls that were refused with the same token share
   * one such request. `signal` is the call's own, or ends after 40 seconds if calls share the request
   * @returns the bearer token
   */
  getToken(request: { forceRefresh: boolean; signal: AbortSignal }): string | Promise<string>;
}

/** How requests are authorised; `null` behind a proxy that adds the credential. */
export type Auth = ApiKeyAuth | ClientCredentialsAuth | GetTokenAuth | null;

/** The facts of a line of the log, for loggers that keep fields. What a line is not about is absent. */
export interface LogFields {
  /** `operationId` of the operation. */
  readonly operationId?: string;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Milliseconds that the try took. */
  readonly milliseconds?: number;
  /** Number of requests that the call has sent so far. */
  readonly tries?: number;
}

/**
 * Receives warnings that do not fail a call; `console` fits. Messages hold no secrets. What a logger throws is ignored, so that
 * it hides no outcome.
 */
export interface Logger {
  /**
   * Called with warnings: deprecated operations, unexpected reply shapes, and token stores that cannot be reached.
   *
   * @param message - one line, which begins with `carillon:`
   * @param fields - the facts of the line
   */
  warn(message: string, fields?: LogFields): void;
  /**
   * Called after every try, if it is defined: operation, status or error, duration, number of the try, and the wait before it.
   *
   * @param message - one line, which begins with `carillon:`
   * @param fields - the facts of the line
   */
  debug?(message: string, fields?: LogFields): void;
}

/**
 * Compares replies with their schemas, or observes them. Created by `createReplyValidator` of `carillon/validate`, or by `createLearner` of
 * `carillon/learn`.
 */
export interface ReplyValidator {
  /** What to do with a reply that does not fit: warn, or reject the call with a `ResponseError`. */
  readonly onInvalid: 'report' | 'throw';
  /**
   * Returns what is wrong with the body of a successful reply.
   *
   * @param operationId - `operationId` of the operation that was called
   * @param body - the whole body: parsed JSON
   * @returns one line for each problem, without the reply's values; an empty list if there is none
   */
  check(operationId: string, body: unknown): readonly string[];
  /**
   * Called with every reply that ends a call, also of a failure. It has to be fast: the call waits for it. An error that it throws is ignored.
   *
   * @param operationId - `operationId` of the operation that was called
   * @param status - HTTP status
   * @param body - the whole body: parsed JSON, the text if it is not JSON, or `undefined` if there is none
   */
  observe?(operationId: string, status: number, body: unknown): void;
}

/** What the client gives to `fetch` with a URL. It fits the `RequestInit` of the platform and of undici. */
export interface FetchInit {
  /** HTTP method. */
  method: string;
  /** By names in lower case. */
  headers: Record<string, string>;
  /** JSON. */
  body?: string;
  /** Aborts the try. */
  signal: AbortSignal;
  /** A redirect is an answer, and is not followed. */
  redirect: 'manual';
}

/** What the client and its callers read of a response. The `Response` of the platform and of undici fit. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number;
  /** Whether the status is from 200 to 299. */
  readonly ok: boolean;
  /** Headers, by names in any case. */
  readonly headers: {
    /** Value of a header, or `null`. */
    get(name: string): string | null;
    /** Calls a function with each value and its name. */
    forEach(callback: (value: string, name: string) => void): void;
  };
  /** Stream of the body, if there is one. */
  readonly body: unknown;
  /** The body as text. */
  text(): Promise<string>;
}

/**
 * Options of a client.
 *
 * @example
 * ```ts
 * import type { ClientOptions } from 'carillon';
 *
 * const options: ClientOptions = {
 *   baseUrl: 'https://api.example.com',
 *   auth: { apiKey: 'my-key' },
 *   timeout: 10_000,
 *   maxRetries: 1,
 * };
 * ```
 */
export interface ClientOptions {
  /**
   * Address of the service, such as `https://api.example.com`. A path prefix is kept, a trailing slash dropped.
   * Credentials travel over `https` only; loopback addresses are exempt. In a page, a path such as `/api` is on the origin of
   * the page, as for a proxy of a frontend. A path is resolved at the first call: on a server, a client with a path can be
   * created, and its calls fail with a `ConfigError`.
   */
  baseUrl: string;
  /** How requests are authorised. */
  auth: Auth;
  /**
   * Used instead of the global `fetch`, called as `fetch(url, init)`. Also that of a library such as undici, which takes a
   * `dispatcher` for a proxy or a client certificate.
   * @default globalThis.fetch
   */
  fetch?: ((url: string, init: FetchInit) => Promise<FetchResponse>) | undefined;
  /**
   * Whether an error code of the connect phase, such as `ECONNREFUSED`, proves that a request was not sent. Then `sent` is `no`,
   * and also what creates or sends something is tried again. In Node, the client sees by itself what was sent, through any
   * wrapper. Elsewhere, or for a `fetch` that does not use undici, set it to `true` if `fetch` makes one connection for a request:
   * no proxy of its own, no second hop, no retries.
   * @default false
   */
  trustConnectErrors?: boolean | undefined;
  /** Headers of every request. `authorization` is refused, except with `auth: null`. */
  headers?: Record<string, string> | undefined;
  /**
   * Deadline of a whole call in milliseconds, above 0: token, every try, every wait and the body together. A call that
   * exceeds it rejects with a `DeadlineError`.
   * @default 60_000
   */
  timeout?: number | undefined;
  /**
   * Limit of one try in milliseconds, above 0, within `timeout`: a try that stalls is given up, and the next one begins. It
   * applies to operations that can be repeated (reading, replacing, deleting), and not to the last try.
   * @default 20_000
   */
  attemptTimeout?: number | undefined;
  /**
   * How often a call that may succeed later is tried again: a whole number, 0 for never.
   * Operations that create or send something are repeated only if they were not sent, or after a 429 (see `replayCreates`). A
   * client and all that `withOptions` made of it share a budget of 100 retries for each operation, so that retries do not multiply
   * an outage. A call that succeeds after retries adds one retry to the budget, and one that succeeds without retries a fifth of one.
   * @default 2
   */
  maxRetries?: number | undefined;
  /**
   * Whether a call that creates or sends something is sent again after 429 (up to `maxRetries` times) and after 401 (once, with
   * another token). That such an answer means "not processed" is an assumption: the documents do not show these answers. With
   * `false`, such a call is never sent again after an answer; when a token ends early, it fails with an `AuthenticationError`, and
   * the next call has another token.
   * @default true
   */
  replayCreates?: boolean | undefined;
  /**
   * Longest body of a reply in bytes after decompression, above 0; `Infinity` for the longest text that JavaScript can hold. A
   * longer one is not received: the call rejects with a `ResponseError`, and is not tried again. Replies of the token
   * operation have at most 1 MB.
   * @default 67_108_864
   */
  maxReplyBytes?: number | undefined;
  /**
   * Where warnings go.
   * @default console.warn; with the environment variable `CARILLON_LOG=debug`, also for a line of each try
   */
  logger?: Logger | undefined;
  /** Observe every call and every try, in this order. */
  middleware?: Middleware[] | undefined;
  /**
   * Shows bodies to `middleware`. They can hold personal data; those of the token operation are never shown.
   * @default false
   */
  showBodies?: boolean | undefined;
  /** Compares replies with the specs, or learns from them. Without it, nothing is validated. */
  validate?: ReplyValidator | undefined;
  /**
   * Permits credentials over plain `http` to an address that is not loopback.
   * @default false
   */
  allowInsecureHttp?: boolean | undefined;
}

/**
 * Options of one call, by method or by path.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const deal = await api.crm.deals.get({ dealId: 501 }, { timeout: 5_000, signal: AbortSignal.timeout(3_000) });
 * console.log(deal.name);
 * ```
 */
export interface CallOptions {
  /** Aborts the call: it rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Deadline of this call in milliseconds, above 0, instead of the client's. */
  timeout?: number | undefined;
  /** Limit of one try of this call in milliseconds, above 0, instead of the client's. */
  attemptTimeout?: number | undefined;
  /** How often this call is tried again, a whole number, 0 for never, instead of the client's. */
  maxRetries?: number | undefined;
  /** Whether this call, if it creates or sends something, is sent again after 401 and 429, instead of the client's. */
  replayCreates?: boolean | undefined;
  /** Headers of this call, over those of the client. `authorization` is refused, except with `auth: null`. */
  headers?: Record<string, string> | undefined;
}
