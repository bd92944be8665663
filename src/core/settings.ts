import { consoleLogger } from './debug-log.ts';
import { ConfigError } from './errors/local-errors.ts';
import type { Middleware } from './hooks.ts';
import { observe } from './observe.ts';
import type { ClientOptions, Logger, ReplyValidator } from './options.ts';
import { isPlatformFetch } from './platform-fetch.ts';
import { RetryBudget } from './retry-budget.ts';
import { isBearerToken } from './token-store.ts';

/** How long and how often a call tries, as in the options. */
export interface Limits {
  timeout: number;
  attemptTimeout: number;
  maxRetries: number;
}

/** The options of a client, checked and complete. */
export interface Settings extends Limits {
  baseUrl: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether an error of the connect phase proves that a request never left. */
  trustsConnectErrors(): boolean;
  headers: Record<string, string> | undefined;
  maxReplyBytes: number;
  logger: Logger;
  middleware: Middleware[];
  showBodies: boolean;
  validate: ReplyValidator | undefined;
  /** Deprecated operations that were logged. All clients of `withOptions` share the set. */
  warned: Set<string>;
  /** Pays for retries, shared by all clients of `withOptions`. */
  budget: RetryBudget;
  /** The client secret and the latest tokens: no output shows them. All clients of `withOptions` share the list. */
  secrets: string[];
}

/** Longest delay that timers can hold (a longer one would fire at once), and more than the longest text. */
const largest = 2 ** 31 - 1;

/** @throws {@link ConfigError} for an option that cannot work */
export function readSettings(
  options: ClientOptions,
  before?: Pick<Settings, 'warned' | 'budget' | 'secrets'>,
): Settings {
  const baseUrl = readBaseUrl(options);
  checkAuth(options, baseUrl);
  if (options.fetch !== undefined && typeof options.fetch !== 'function')
    throw new ConfigError('fetch must be a function');
  const settings = {
    baseUrl,
    // What a library calls a response has all that the client reads; the types differ in what nobody uses.
    fetch: (options.fetch ?? ((url, init) => globalThis.fetch(url, init))) as Settings['fetch'],
    headers: options.headers,
    ...readLimits(options, { timeout: 60_000, attemptTimeout: 20_000, maxRetries: 2 }),
    maxReplyBytes: readPositive(options.maxReplyBytes ?? 2 ** 26, 'maxReplyBytes'),
    logger: quietLogger(options.logger ?? consoleLogger()),
    middleware: options.middleware ?? [],
    showBodies: options.showBodies ?? false,
    validate: options.validate,
  };
  const known = { ...settings, auth: 0, allowInsecureHttp: 0, trustConnectErrors: 0 };
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown) throw new ConfigError(`There is no option ${unknown}; the options are ${Object.keys(known).join(', ')}`);
  return {
    ...settings,
    trustsConnectErrors: () => options.trustConnectErrors ?? isPlatformFetch(options.fetch),
    warned: before?.warned ?? new Set(),
    budget: before?.budget ?? new RetryBudget(),
    secrets: before?.secrets ?? [],
  };
}

/** A logger whose failures change no call. */
function quietLogger(logger: Logger): Logger {
  return {
    warn: (message) => void observe(() => logger.warn(message)),
    // Left out if nobody listens, so that no line is made.
    debug: logger.debug && ((message) => void observe(() => logger.debug?.(message))),
  };
}

/** How long and how often a call tries: what is given, or else the defaults. */
export function readLimits(given: Partial<Limits>, defaults: Limits): Limits {
  const maxRetries = given.maxRetries ?? defaults.maxRetries;
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new ConfigError('maxRetries is a whole number from 0 on');
  return {
    timeout: readPositive(given.timeout ?? defaults.timeout, 'timeout'),
    attemptTimeout: readPositive(given.attemptTimeout ?? defaults.attemptTimeout, 'attemptTimeout'),
    maxRetries,
  };
}

function readPositive(value: number, name: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw new ConfigError(`${name} must be a number above 0`);
  return Math.min(value, largest);
}

function readBaseUrl({ baseUrl, auth, allowInsecureHttp }: ClientOptions): string {
  // A path on the origin of the page. It is appended, not resolved, so that `//other-host` stays on this origin too.
  const address = /^\//.test(baseUrl) ? globalThis.location?.origin + baseUrl : baseUrl;
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError("baseUrl is the service's address, such as 'https://api.example.com'");
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigError('baseUrl must not contain a user name, a password, a query or a fragment');
  }
  if (url.protocol === 'http:' && auth !== null && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new ConfigError('baseUrl must use https to protect the credential; allowInsecureHttp: true permits http');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function checkAuth({ auth, fetch }: ClientOptions, baseUrl: string): void {
  if (auth === null) return;
  if (typeof auth !== 'object' || !('apiKey' in auth || 'getToken' in auth || 'clientId' in auth)) {
    throw new ConfigError('auth is { apiKey }, { clientId, clientSecret }, { getToken } or null');
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
  if ('apiKey' in auth && !isBearerToken(auth.apiKey)) {
    throw new ConfigError('auth.apiKey must be visible ASCII without blanks or line breaks');
  }
  // A custom fetch need not leave the page, and neither does a server on this machine.
  if ('document' in globalThis && !auth.allowBrowser && !fetch && !isLoopback(new URL(baseUrl).hostname)) {
    throw new ConfigError(
      `Every visitor of a page can read auth.${names.at(-1)}: use getToken with your own server, or set allowBrowser: true`,
    );
  }
}
