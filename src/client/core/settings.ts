import { type BaseUrl, readBaseUrl } from './base-url.ts';
import { consoleLogger } from './debug-log.ts';
import { ConfigError } from './errors/local-errors.ts';
import type { Middleware } from './hooks.ts';
import { observe } from './observe.ts';
import type { Auth, ClientOptions, Logger, ReplyValidator } from './options.ts';
import { RetryBudgets } from './retry-budget.ts';
import { isBearerToken } from './token-store.ts';

/** Time limits and retries of a call. */
export interface Limits {
  timeout: number;
  attemptTimeout: number;
  maxRetries: number;
  /** Whether a call that creates or sends something is sent again after 401 and 429. */
  replayCreates: boolean;
}

/** The options of a client, checked and complete. */
export interface Settings extends Limits, BaseUrl {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether an error of the connect phase proves that a request was not sent. */
  trustConnectErrors: boolean;
  /** Whether the client adds a credential to each request. If so, callers and hooks must not. */
  hasCredential: boolean;
  headers: Record<string, string> | undefined;
  maxReplyBytes: number;
  logger: Logger;
  middleware: Middleware[];
  showBodies: boolean | undefined;
  validate: ReplyValidator | undefined;
  /** Deprecated operations that were logged. Shared with clients derived by `withOptions`. */
  warned: Set<string>;
  /** Retry budgets. Shared with clients derived by `withOptions`. */
  budgets: RetryBudgets;
  /** Client secret and latest tokens, to hide them in all output. Shared with clients derived by `withOptions`. */
  secrets: string[];
}

/** Longest delay of a timer (a longer one would fire immediately). More than the length of the longest string. */
const largest = 2 ** 31 - 1;

/** @throws {@link ConfigError} if an option is invalid */
export function readSettings(
  options: ClientOptions,
  before?: Pick<Settings, 'warned' | 'budgets' | 'secrets'>,
): Settings {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigError("A client needs options: { baseUrl: 'https://api.example.com', auth: { apiKey } }");
  }
  checkAuth(options.auth);
  if (options.fetch !== undefined && typeof options.fetch !== 'function')
    throw new ConfigError('fetch must be a function');
  const hasCredential = options.auth !== null;
  const headers = readHeaders(options.headers);
  if (hasCredential && namesAuthorization(headers)) throw new ConfigError(authorizationAdvice);
  const middleware: unknown = options.middleware ?? [];
  if (!Array.isArray(middleware) || !middleware.every((hooks) => typeof hooks === 'object' && hooks !== null)) {
    throw new ConfigError('middleware must be a list of objects with hooks');
  }
  const { baseUrl, address } = readBaseUrl(options);
  const settings = {
    baseUrl,
    // Third-party `Response` types differ only in members that the client does not read.
    fetch: (options.fetch ?? ((url, init) => globalThis.fetch(url, init))) as Settings['fetch'],
    headers,
    ...readLimits(options, { timeout: 60_000, attemptTimeout: 20_000, maxRetries: 2, replayCreates: true }),
    maxReplyBytes: readPositive(options.maxReplyBytes ?? 2 ** 26, 'maxReplyBytes'),
    logger: quietLogger(options.logger ?? consoleLogger()),
    middleware: options.middleware ?? [],
    showBodies: options.showBodies,
    validate: options.validate,
  };
  const known = { ...settings, auth: 0, allowInsecureHttp: 0, trustConnectErrors: 0 };
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown) throw new ConfigError(`There is no option ${unknown}; the options are ${Object.keys(known).join(', ')}`);
  return {
    ...settings,
    address,
    trustConnectErrors: options.trustConnectErrors === true,
    hasCredential,
    warned: before?.warned ?? new Set(),
    budgets: before?.budgets ?? new RetryBudgets(),
    secrets: before?.secrets ?? [],
  };
}

/** Wraps a logger, so that its errors do not affect calls. */
function quietLogger(logger: Logger): Logger {
  return {
    warn: (...line) => void observe(() => logger.warn(...line)),
    // Omit it if the logger does not have it, to avoid formatting lines.
    debug: logger.debug && ((...line) => void observe(() => logger.debug?.(...line))),
  };
}

/** Message for a caller, hook or option that sets the header although the client has a credential. */
export const authorizationAdvice =
  'The client sets the header authorization, which cannot be overridden: create a client for each account, or set auth: null to send your own header';

/**
 * Reads headers of a client. Makes names lower case, so that headers override each other regardless of case.
 *
 * @throws {@link ConfigError} if a header is invalid; the message does not contain its value
 */
export function readHeaders(given: Record<string, string> | undefined): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  const isRecord = typeof given === 'object' && given !== null && !Array.isArray(given) && !(given instanceof Map);
  if (!isRecord) throw new ConfigError('headers must be an object of names and values');
  if (given instanceof Headers) return Object.fromEntries(given);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    try {
      if (!['string', 'number', 'boolean'].includes(typeof value)) throw new TypeError();
      new Headers([[name, String(value)]]);
    } catch {
      throw new ConfigError(`The header ${JSON.stringify(name.slice(0, 60))} is not valid`);
    }
    headers[name.toLowerCase()] = String(value);
  }
  return headers;
}

/** Whether headers contain `authorization`, in any case. */
export function namesAuthorization(headers: Record<string, string> | undefined): boolean {
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
}

/** Reads the limits of a call, with defaults for those that are not given. */
export function readLimits(given: Partial<Limits>, defaults: Limits): Limits {
  const maxRetries = given.maxRetries ?? defaults.maxRetries;
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new ConfigError('maxRetries must be a whole number, 0 or more');
  const replayCreates = given.replayCreates ?? defaults.replayCreates;
  if (typeof replayCreates !== 'boolean') throw new ConfigError('replayCreates must be true or false');
  return {
    timeout: readPositive(given.timeout ?? defaults.timeout, 'timeout'),
    attemptTimeout: readPositive(given.attemptTimeout ?? defaults.attemptTimeout, 'attemptTimeout'),
    maxRetries,
    replayCreates,
  };
}

function readPositive(value: number, name: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw new ConfigError(`${name} must be a number above 0`);
  return Math.min(value, largest);
}

function checkAuth(auth: Auth): void {
  if (auth === null) return;
  if (typeof auth !== 'object' || !('apiKey' in auth || 'getToken' in auth || 'clientId' in auth)) {
    throw new ConfigError('auth must be { apiKey }, { clientId, clientSecret }, { getToken } or null');
  }
  if ('getToken' in auth) {
    if (typeof auth.getToken !== 'function') throw new ConfigError('auth.getToken must be a function');
    return;
  }
  const names = 'apiKey' in auth ? ['apiKey'] : ['clientId', 'clientSecret'];
  for (const name of names) {
    const value: unknown = Reflect.get(auth, name);
    if (typeof value !== 'string' || value === '') {
      throw new ConfigError(`auth.${name} is missing or empty: is its environment variable set?`);
    }
  }
  if ('apiKey' in auth) checkApiKey(auth.apiKey);
}

function checkApiKey(apiKey: string): void {
  if (isBearerToken(apiKey)) return;
  if (/^bearer\s/i.test(apiKey)) throw new ConfigError("auth.apiKey is the key alone: leave out 'Bearer '");
  if (/^\s|\s$/.test(apiKey)) {
    throw new ConfigError(
      'auth.apiKey begins or ends with a blank or a line break, as a key read from a file does: trim it',
    );
  }
  throw new ConfigError('auth.apiKey must be visible ASCII without blanks or line breaks');
}
