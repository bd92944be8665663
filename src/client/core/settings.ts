import { type BaseUrl, readBaseUrl } from './base-url.ts';
import { consoleLogger } from './debug-log.ts';
import { ConfigError } from './errors/local-errors.ts';
import type { Middleware } from './hooks.ts';
import { observe } from './observe.ts';
import type { Auth, ClientOptions, Logger, ReplyValidator } from './options.ts';
import { RetryBudgets } from './retry-budget.ts';
import { isBearerToken } from './token-store.ts';

/** How long and how often a call tries, as in the options. */
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
  /** Whether an error of the connect phase proves that a request never left. */
  trustConnectErrors: boolean;
  /** The client adds a credential to each request, so nobody else may. */
  hasCredential: boolean;
  headers: Record<string, string> | undefined;
  maxReplyBytes: number;
  logger: Logger;
  middleware: Middleware[];
  showBodies: boolean | undefined;
  validate: ReplyValidator | undefined;
  /** Deprecated operations that were logged. All clients of `withOptions` share the set. */
  warned: Set<string>;
  /** Pay for retries, shared by all clients of `withOptions`. */
  budgets: RetryBudgets;
  /** The client secret and the latest tokens: no output shows them. All clients of `withOptions` share the list. */
  secrets: string[];
}

/** Longest delay that timers can hold (a longer one would fire at once), and more than the longest text. */
const largest = 2 ** 31 - 1;

/** @throws {@link ConfigError} for an option that cannot work */
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

/** A logger whose failures change no call. */
function quietLogger(logger: Logger): Logger {
  return {
    warn: (...line) => void observe(() => logger.warn(...line)),
    // Left out if nobody listens, so that no line is made.
    debug: logger.debug && ((...line) => void observe(() => logger.debug?.(...line))),
  };
}

/** For every place where somebody sets the header although the client has a credential. */
export const authorizationAdvice =
  'The header authorization is the credential of the client, and is not overridden: create a client for each account, or set auth: null to send your own header';

/**
 * Headers of a client, by names in lower case, so that one overrides another in whatever case it is written.
 *
 * @throws {@link ConfigError} for what is no header; the message contains no value
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

/** Whether headers name the credential, in any case. */
export function namesAuthorization(headers: Record<string, string> | undefined): boolean {
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
}

/** How long and how often a call tries: what is given, or else the defaults. */
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
