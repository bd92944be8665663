import type { Middleware } from './hooks.ts';
import type { TokenStore } from './token-store.ts';

/**
 * A static API key, created in the account settings and sent as a bearer token.
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
   * Allows an API key in a browser, where every visitor can read it. Not needed for a loopback address or with a custom `fetch`.
   * @default false
   */
  allowBrowser?: boolean | undefined;
}

/**
 * OAuth 2.0 client credentials. The client fetches access tokens, renews them before they expire and shares them among its calls.
 *
 * After a 401, the client replaces the token, and sends the call once more with another token. A call that creates or sends
 * something is sent again only with `replayCreates`. A second 401 fails the call.
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
  /** Client ID, from the account settings. */
  clientId: string;
  /** Client secret. Hidden in errors, log lines and hook data, and when `console.log` shows the client. */
  clientSecret: string;
  /** Shares tokens between processes. If omitted, tokens are kept only in the memory of this process. */
  tokenStore?: TokenStore | undefined;
  /**
   * Allows a client secret in a browser, where every visitor can read it. Not needed for a loopback address or with a custom
   * `fetch`.
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
 *     const response = await fetch(`/my-token?fresh=${forceRefresh}`, { signal });
 *     return response.text();
 *   },
 * };
 * ```
 */
export interface GetTokenAuth {
  /**
   * Returns the token for a call. An error, or a token that is not visible ASCII, becomes a `TokenError`.
   *
   * @param request - `forceRefresh` is true after the service rejected a token. Calls whose token was rejected share one such
   * request. `signal` is the signal of the call or, if calls share the request, a signal that is aborted after 40 seconds
   * @returns the bearer token
   */
  getToken(request: { forceRefresh: boolean; signal: AbortSignal }): string | Promise<string>;
}

/** How requests are authorized. Use `null` behind a proxy that adds the credential. */
export type Auth = ApiKeyAuth | ClientCredentialsAuth | GetTokenAuth | null;

/** Structured fields of a log line. Fields that do not apply to the line are absent. */
export interface LogFields {
  /** `operationId` of the operation. */
  readonly operationId?: string;
  /** HTTP status of the response. */
  readonly status?: number;
}

/**
 * Receives warnings that do not fail a call. `console` is a valid logger. Messages contain no secrets. Errors in a logger are
 * ignored, so that they cannot hide the outcome of a call.
 */
export interface Logger {
  /**
   * Called with warnings: deprecated operations, unexpected response shapes, and token stores that cannot be reached.
   *
   * @param message - one line, which begins with `carillon:`
   * @param fields - structured fields of the line
   */
  warn(message: string, fields?: LogFields): void;
}

/** Compares responses with their schemas. Created by `createResponseValidator` from `carillon/validate`. */
export interface ResponseValidator {
  /** How to handle an invalid response: log a warning, or reject the call with a `ResponseError`. */
  readonly onInvalid: 'report' | 'throw';
  /**
   * Returns the problems in the body of a successful response.
   *
   * @param operationId - `operationId` of the operation that was called
   * @param body - the whole body as parsed JSON
   * @returns one line for each problem, without the response's values; an empty list if the response is valid
   */
  check(operationId: string, body: unknown): readonly string[];
}

/** Options that the client passes to `fetch`. Compatible with the `RequestInit` of the platform and of undici. */
export interface FetchInit {
  /** HTTP method. */
  method: string;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  /** Body as JSON. */
  body?: string;
  /** Aborts the attempt. An abort must also end the body of the response. */
  signal: AbortSignal;
  /** The client does not follow redirects. */
  redirect: 'manual';
}

/** The members of a response that the client and its callers read. Compatible with the `Response` of the platform and of undici. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number;
  /** Whether the status is from 200 to 299. */
  readonly ok: boolean;
  /** Headers by name, case-insensitive. */
  readonly headers: {
    /** Value of a header, or `null`. */
    get(name: string): string | null;
    /** Calls a function with each value and its name. */
    forEach(callback: (value: string, name: string) => void): void;
  };
  /** Stream of the body, if there is one. */
  readonly body: unknown;
  /** The body as a string. */
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
   * Address of the service, such as `https://api.example.com`. A path prefix is kept, and a trailing slash is removed.
   * Credentials require `https`, except for loopback addresses. In a web page, the address can be a path on the page's origin,
   * such as `/api` for the proxy of a frontend. A path is resolved at the first call. On a server, a client with a path can be
   * created, but its calls fail with a `ConfigError`.
   */
  baseUrl: string;
  /** How requests are authorized. */
  auth: Auth;
  /**
   * Deadline of a whole call in milliseconds, above 0. It covers the token, every attempt, every wait and the body. A call that
   * exceeds it rejects with a `DeadlineError`. Each page of a list is a separate call. To limit the whole list, use a `signal`.
   * @default 60_000
   */
  timeout?: number | undefined;
  /**
   * Maximum number of retries of a call, an integer; 0 for none. Operations that create or send something are retried only if
   * the request was not sent, or after a 429 (see `replayCreates`). A client and all clients derived from it by `withOptions`
   * share a budget of 100 retries per operation, so that retries do not worsen an outage. A call that succeeds after retries
   * adds one retry to the budget, or one for each retry that followed a 429. A call that succeeds without retries adds a fifth
   * of a retry.
   * @default 2
   */
  maxRetries?: number | undefined;
  /** Headers to send with every request. `authorization` is invalid unless `auth` is `null`. */
  headers?: Record<string, string> | undefined;
  /**
   * Function to use instead of the global `fetch`. The client calls the function as `fetch(url, init)`. It can come from a
   * library such as undici, which accepts a `dispatcher` for a proxy or a client certificate.
   * @default globalThis.fetch
   */
  fetch?: ((url: string, init: FetchInit) => Promise<FetchResponse>) | undefined;
  /**
   * Receives warnings.
   * @default console.warn
   */
  logger?: Logger | undefined;
  /** Hooks for every call and every attempt, called in this order. */
  middleware?: Middleware[] | undefined;
  /** Compares responses with the specs. By default, responses are not validated. */
  validate?: ResponseValidator | undefined;
  /**
   * Whether a call that creates or sends something is sent again after a 429 (up to `maxRetries` times) and after a 401 (once,
   * with another token). The client assumes that such a response means "not processed", because the documents do not describe
   * these responses. If `false`, the client never sends such a call again after a response. If a token becomes invalid early,
   * the call fails with an `AuthenticationError`, and the next call uses another token.
   * @default true
   */
  replayCreates?: boolean | undefined;
  /**
   * Timeout of one attempt in milliseconds, above 0, within the deadline that `timeout` sets. The client aborts an attempt that
   * exceeds this timeout, and starts the next attempt. The timeout applies to operations that can be repeated (reading,
   * replacing, deleting), but not to the last attempt.
   * @default 20_000
   */
  attemptTimeout?: number | undefined;
  /**
   * Maximum length of a response body in bytes, above 0. If the `content-length` of a response is above this maximum, the client
   * does not read the body, and the call rejects with a `ResponseError`, without retries. A body without that header is limited
   * only by the deadline. For the token operation, the maximum is never above 1 MiB.
   * @default 67_108_864
   */
  maxResponseBytes?: number | undefined;
  /**
   * Shows bodies to `middleware`. Bodies can contain personal data. Bodies of the token operation are never shown.
   * @default false
   */
  showBodies?: boolean | undefined;
  /**
   * Permits credentials over plain `http` to addresses other than loopback.
   * @default false
   */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Whether an error code of the connect phase, such as `ECONNREFUSED`, means that a request was not sent. If so, `sent` is `no`,
   * and operations that create or send something are also retried. Set this option to `true` only for a `fetch` that makes one
   * connection per request, and does not repeat a request by itself or through another service. Examples are a wrapper, undici
   * with a dispatcher, and the `fetch` of another runtime. Node's own `fetch` does not need this option, because the client can
   * detect what Node sent.
   * @default false
   */
  trustConnectErrors?: boolean | undefined;
}
