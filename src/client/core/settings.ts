import { explainBaseUrl } from '../../shared/base-url.ts';
import { shorten } from '../../shared/did-you-mean.ts';
import { checkOnInvalid, checkOptionNames, defined, readBoolean } from './check-options.ts';
import { ConfigError } from './errors/local-errors.ts';
import type { Middleware } from './hooks.ts';
import { type HookSettings, observe } from './observe.ts';
import type { Auth, ClientOptions, Logger, ResponseValidator } from './options.ts';
import type { Fetch } from './request-report.ts';
import { RetryBudgets } from './retry.ts';
import { isBearerToken } from './token-store.ts';

/** Deadline, timeout and retries of a call. */
export interface Limits {
  timeout: number;
  attemptTimeout: number;
  maxRetries: number;
  /** Whether a call that creates or sends something is sent again after a 401 or 429. */
  replayCreates: boolean;
}

/** The options of a client, checked and complete. */
export interface ClientSettings extends Limits, BaseUrl, HookSettings {
  /** `undefined` for the global `fetch`. */
  fetch: Fetch | undefined;
  /** Whether an error of the connect phase means that a request was not sent. */
  trustConnectErrors: boolean;
  /** Whether the client adds a credential to each request. If so, callers and hooks must not set a credential. */
  hasCredential: boolean;
  headers: Record<string, string> | undefined;
  maxResponseBytes: number;
  validate: ResponseValidator | undefined;
  /**
   * Warnings that are logged once, such as the warning for a deprecated operation. Shared with clients derived by `withOptions`.
   */
  warned: Set<string>;
  /** Retry budgets. Shared with clients derived by `withOptions`. */
  budgets: RetryBudgets;
  /** Client secret and latest tokens, which are hidden in all output. Shared with clients derived by `withOptions`. */
  secrets: string[];
}

/**
 * Longest delay of a timer, because a timer with a longer delay fires immediately. Also exceeds the length of the longest
 * string.
 */
const maxTimerDelay = 2 ** 31 - 1;

/** Limits for a client that does not set any. */
export const defaultLimits: Limits = { timeout: 60_000, attemptTimeout: 20_000, maxRetries: 2, replayCreates: true };

/** Names of the options of a client. The type requires every name. */
const optionNames = /* @__PURE__ */ Object.keys({
  baseUrl: true,
  auth: true,
  timeout: true,
  maxRetries: true,
  headers: true,
  fetch: true,
  logger: true,
  middleware: true,
  validate: true,
  replayCreates: true,
  attemptTimeout: true,
  maxResponseBytes: true,
  showBodies: true,
  allowInsecureHttp: true,
  trustConnectErrors: true,
} satisfies Record<keyof ClientOptions, true>);

/** Names of the hooks. The type requires every name. */
const hookNames = /* @__PURE__ */ Object.keys({
  onStart: true,
  onRequest: true,
  onResponse: true,
  onError: true,
  onEnd: true,
} satisfies Record<keyof Middleware, true>);

const hookInAnyCase = /* @__PURE__ */ new RegExp(`^(?:${hookNames.join('|')})$`, 'i');

/** @throws {@link ConfigError} if an option is invalid */
export function readSettings(
  options: ClientOptions,
  before?: Pick<ClientSettings, 'warned' | 'budgets' | 'secrets'>,
): ClientSettings {
  checkOptionNames(Object.keys(options), optionNames);
  checkAuth(options.auth);
  if (options.fetch !== undefined && typeof options.fetch !== 'function')
    throw new ConfigError('fetch must be a function');
  const hasCredential = options.auth !== null;
  const headers = readHeaders(options.headers);
  if (hasCredential && namesAuthorization(headers)) throw new ConfigError(authorizationAdvice);
  checkMiddleware(options.middleware ?? []);
  const logger = options.logger ?? { warn: (message: string) => console.warn(message) };
  checkFunctions(logger, 'logger', ['warn'], []);
  if (options.validate !== undefined) {
    checkFunctions(options.validate, 'validate', ['check'], []);
    checkOnInvalid(options.validate.onInvalid);
  }
  const { baseUrl, address } = readBaseUrl(options);
  const settings = {
    baseUrl,
    // Third-party `Response` types differ only in members that the client does not read.
    fetch: options.fetch as ClientSettings['fetch'],
    headers,
    ...readLimits(options, defaultLimits),
    maxResponseBytes: readPositive(options.maxResponseBytes ?? 2 ** 26, 'maxResponseBytes'),
    logger: quietLogger(logger),
    middleware: options.middleware ?? [],
    showBodies: readBoolean(options.showBodies, 'showBodies', false),
    validate: options.validate,
  };
  return {
    ...settings,
    address,
    trustConnectErrors: readBoolean(options.trustConnectErrors, 'trustConnectErrors', false),
    hasCredential,
    warned: before?.warned ?? new Set(),
    budgets: before?.budgets ?? new RetryBudgets(),
    secrets: before?.secrets ?? [],
  };
}

/** Throws for objects that are not hooks, and for names that look like hooks. Other fields belong to the program. */
function checkMiddleware(middleware: unknown): void {
  const isObject = (hooks: unknown): hooks is object => typeof hooks === 'object' && hooks !== null;
  if (!Array.isArray(middleware) || !middleware.every(isObject)) {
    throw new ConfigError('middleware must be a list of objects with hooks');
  }
  for (const hooks of middleware) {
    // `once` and `online` are ordinary fields.
    const names = Object.keys(hooks).filter((name) => /^on[A-Z]/.test(name) || hookInAnyCase.test(name));
    checkOptionNames(names, hookNames, { one: 'hook ', all: 'hooks' });
    checkFunctions(hooks, 'a middleware', [], hookNames);
  }
}

/** Throws for a value without the functions that the client calls. */
function checkFunctions(
  given: unknown,
  option: string,
  required: readonly string[],
  optional: readonly string[],
): void {
  const member = (name: string): unknown => Reflect.get(Object(given), name) ?? undefined;
  const missing = required.find((name) => typeof member(name) !== 'function');
  if (missing !== undefined) throw new ConfigError(`${option} must be an object with a ${missing} function`);
  const wrong = optional.find((name) => !['function', 'undefined'].includes(typeof member(name)));
  if (wrong !== undefined) throw new ConfigError(`${wrong} in ${option} must be a function`);
}

/** Wraps a logger, so that its errors do not affect calls. */
function quietLogger(logger: Logger): Logger {
  return { warn: (...line) => void observe(() => logger.warn(...line)) };
}

/** Message for a caller, hook or option that sets the `authorization` header although the client has a credential. */
export const authorizationAdvice =
  "The client sets the 'authorization' header, which cannot be overridden: create a client for each account, or set auth: null to send your own header";

/**
 * Reads the headers option of a client. Makes names lower case, so that headers override each other regardless of case.
 *
 * @throws {@link ConfigError} if a header is invalid; the message does not contain its value
 */
export function readHeaders(given: Record<string, string> | undefined): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  const isRecord = typeof given === 'object' && given !== null && !Array.isArray(given) && !(given instanceof Map);
  if (!isRecord) throw new ConfigError('headers must be an object that maps names to values');
  if (given instanceof Headers) return Object.fromEntries(given);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    if (!isHeader(name, value)) throw new ConfigError(`The header ${JSON.stringify(shorten(name))} is not valid`);
    headers[name.toLowerCase()] = String(value);
  }
  return headers;
}

/** Whether a header can be sent. `String` would also convert an object or a promise. */
export function isHeader(name: string, value: unknown): boolean {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return false;
  try {
    new Headers([[name, String(value)]]);
    return true;
  } catch {
    return false;
  }
}

/** Whether headers contain `authorization` (case-insensitive). */
export function namesAuthorization(headers: Record<string, string> | undefined): boolean {
  if (headers instanceof Headers) return headers.has('authorization');
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
}

/** Reads the limits of a call, with defaults for omitted limits. */
export function readLimits(given: Partial<Limits>, defaults: Limits): Limits {
  const maxRetries = given.maxRetries ?? defaults.maxRetries;
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new ConfigError('maxRetries must be a whole number, 0 or more');
  return {
    timeout: readPositive(given.timeout ?? defaults.timeout, 'timeout'),
    attemptTimeout: readPositive(given.attemptTimeout ?? defaults.attemptTimeout, 'attemptTimeout'),
    maxRetries,
    replayCreates: readBoolean(given.replayCreates, 'replayCreates', defaults.replayCreates),
  };
}

function readPositive(value: number, name: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw new ConfigError(`${name} must be a number above 0`);
  return Math.min(value, maxTimerDelay);
}

function checkAuth(auth: Auth): void {
  if (auth === null) return;
  if (typeof auth !== 'object' || !('apiKey' in auth || 'getToken' in auth || 'clientId' in auth)) {
    throw new ConfigError('auth must be { apiKey }, { clientId, clientSecret }, { getToken } or null');
  }
  const kind = { one: 'option auth.', all: 'options of this kind of auth' };
  if ('getToken' in auth) {
    checkOptionNames(Object.keys(defined(auth)), ['getToken'], kind);
    if (typeof auth.getToken !== 'function') throw new ConfigError('auth.getToken must be a function');
    return;
  }
  const names = 'apiKey' in auth ? ['apiKey'] : ['clientId', 'clientSecret'];
  const known = [...names, ...('apiKey' in auth ? [] : ['tokenStore']), 'allowBrowser'];
  checkOptionNames(Object.keys(defined(auth)), known, kind);
  readBoolean(auth.allowBrowser, 'auth.allowBrowser', false);
  if ('clientId' in auth && auth.tokenStore !== undefined)
    checkFunctions(auth.tokenStore, 'auth.tokenStore', ['get', 'set', 'delete'], []);
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
  if (/^bearer\s/i.test(apiKey)) throw new ConfigError("auth.apiKey must be the key alone, without 'Bearer '");
  if (/^\s|\s$/.test(apiKey)) {
    throw new ConfigError(
      'auth.apiKey begins or ends with a space or a line break, often because the key comes from a file: trim the key',
    );
  }
  throw new ConfigError('auth.apiKey must contain only visible ASCII characters, without spaces or line breaks');
}

/** Address of the service. */
export interface BaseUrl {
  /** The checked address, or the path that the option contains. */
  baseUrl: string;
  /**
   * The checked address, without a trailing slash.
   *
   * @throws {@link ConfigError} if a path cannot be resolved, or resolves to an unusable address
   */
  address(): string;
}

/**
 * Checks an address at once, but a path only at the first call. Frameworks also load the modules of a page on the server, where a
 * path cannot be resolved.
 *
 * @throws {@link ConfigError} if the address cannot be used
 */
function readBaseUrl(options: ClientOptions): BaseUrl {
  const { baseUrl } = options;
  if (typeof baseUrl !== 'string') throw new ConfigError(explainBaseUrl(''));
  const isPath = isPagePath(baseUrl);
  let checked: string | undefined;
  const address = (): string => {
    // Append the path instead of resolving it, so that `//other-host` also stays on the origin of the page.
    checked ??= checkAddress(`${isPath ? globalThis.location?.origin : ''}${baseUrl}`, options);
    return checked;
  };
  return { baseUrl: isPath ? baseUrl : address(), address };
}

function isPagePath(baseUrl: string): boolean {
  return /^\//.test(baseUrl);
}

/** @param address - `baseUrl`, prefixed with the origin of the page if it is a path */
function checkAddress(address: string, { baseUrl, auth, fetch, allowInsecureHttp }: ClientOptions): string {
  // The URL parser allows braces in a host, and the request would go to another host.
  if (/[{}]/.test(address)) throw new ConfigError('baseUrl must not contain { or }: replace the placeholders');
  const url = URL.canParse(address) && new URL(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(explainBaseUrl(baseUrl));
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ConfigError('baseUrl must not contain a user name, password, query or fragment');
  }
  const isLocal = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isInsecureAllowed = readBoolean(allowInsecureHttp, 'allowInsecureHttp', false);
  if (url.protocol === 'http:' && auth !== null && !isInsecureAllowed && !isLocal) {
    throw new ConfigError('baseUrl must use https to protect the credential, or set allowInsecureHttp: true');
  }
  // A custom fetch may keep requests in the page, and a local server keeps them on this machine.
  if ('document' in globalThis && auth && !('getToken' in auth) && !auth.allowBrowser && !fetch && !isLocal) {
    const name = 'apiKey' in auth ? 'apiKey' : 'clientSecret';
    throw new ConfigError(
      `Visitors to a page can read auth.${name}: use getToken with your own server, or set allowBrowser: true`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
