import type { CallState } from './call-state.ts';
import { cleanCause } from './cause.ts';
import { type ConnectionFailure, failedToConnect, readConnectionFailure, unusedProxy } from './connection-failure.ts';
import type { Deadline } from './deadline.ts';
import { ConfigError, ConnectionError, ResponseError } from './errors/local-errors.ts';
import { AttemptHooks, type HeaderRecord, observe } from './observe.ts';
import {
  type OpenapiClient,
  type OpenapiResult,
  type OutgoingCall,
  type WrittenRequest,
  writeRequest,
} from './openapi.ts';
import { Redactor } from './redact.ts';
import { RequestReport } from './request-report.ts';
import { authorizationAdvice, type ClientSettings } from './settings.ts';

/** A response whose body was read within the deadline. */
export interface ReadResponse {
  response: Response;
  /** The body as a string. openapi-fetch parses the JSON of a failed response, and the client converts it back. */
  text: string;
  /** The body as parsed JSON, or as a string if it is not JSON; `undefined` if there is no body. */
  body: unknown;
  isJson: boolean;
  redactor: Redactor;
  /** Why the call was not retried, for an error message. */
  note?: string | undefined;
}

/** An attempt without a response. */
export interface LostAttempt {
  error: ConnectionError;
  /** Whether a retry would fail in the same way. */
  isFinal: boolean;
}

/** Data shared by the attempts of a call, besides the request. */
export interface CallContext {
  openapi: OpenapiClient;
  settings: ClientSettings;
  deadline: Deadline;
  state: CallState;
  /** Whether the operation, such as the token operation, takes no credential. */
  anonymous: boolean | undefined;
}

/** Data of a single attempt. */
export interface Attempt {
  token: string | undefined;
  /** Timeout of the attempt in milliseconds. `undefined` if no other attempt can follow. */
  limit: number | undefined;
}

/**
 * Creates one request with openapi-fetch, sends it, calls the hooks and reads the response. Returns a lost connection as a
 * result, because the request may be retried. An error in `onRequest` ends the call, but errors in other hooks do not.
 */
export async function exchange(
  call: OutgoingCall,
  context: CallContext,
  attempt: Attempt,
): Promise<ReadResponse | LostAttempt> {
  const { openapi, settings, deadline, state, anonymous } = context;
  const { method, body: sentBody } = call;
  const written = writeRequest(openapi, call);
  const { url } = written.request;
  // Most clients have no hooks.
  const hooks = settings.middleware.length > 0 ? new AttemptHooks({ url, body: sentBody }, context) : undefined;
  // A record, as mocks of `fetch` expect.
  const given: HeaderRecord = Object.fromEntries(written.request.headers);
  const headers = hooks ? await hooks.request(given) : given;
  addCredential(headers, attempt.token, settings);
  const credential = attempt.token ?? headers.authorization?.replace(/^\S+ /, '');
  const secret = anonymous ? clientSecretOf(sentBody) : credential;
  const redactor = new Redactor(rememberSecret(settings, secret));
  // The limit is lower for the token operation, whose responses are short.
  const maxBytes = anonymous ? Math.min(settings.maxResponseBytes, 2 ** 20) : settings.maxResponseBytes;
  const started = hooks ? performance.now() : 0;
  state.url = url;
  // The caller may have aborted the call since the token arrived.
  deadline.signal.throwIfAborted();
  if (attempt.limit !== undefined) deadline.startAttempt(attempt.limit);
  const { signal } = deadline;
  const fetch = settings.fetch ?? globalThis.fetch;
  if (typeof fetch !== 'function')
    throw new ConfigError('the platform has no fetch function: pass one in the fetch option');
  const report = new RequestReport(fetch, signal);
  let received: Received;
  try {
    state.attempts += 1;
    state.current = 'maybe';
    // Do not follow redirects, which would send the body to an address that the caller did not specify.
    const init: RequestInit = { method, headers, signal, redirect: 'manual', body: sentBody };
    received = await deadline.race(receive(report.call(url, init), written, signal, state, maxBytes));
  } catch (error) {
    const isResponded = state.current === 'yes';
    const isUnsent = !isResponded && detectsUnsent(report, error, signal, settings);
    if (isUnsent) state.current = 'no';
    // Keep the caller's abort reason unchanged.
    const cause = error === deadline.signal.reason ? error : cleanCause(error, redactor);
    hooks?.error(cause);
    deadline.signal.throwIfAborted();
    if (!isUnsent) state.current = 'maybe';
    const failure = readConnectionFailure(cause);
    const lost = connectionError(
      url,
      state,
      { ...failure, isRefused: !isResponded && failedToConnect(error) },
      settings,
      cause,
    );
    return { error: lost, isFinal: failure.isFinal };
  } finally {
    deadline.endAttempt();
  }
  const { response, result } = received;
  const { status } = response;
  const { text, body, isJson } = readBody(result);
  hooks?.response(response, result && text, redactor, started);
  if (!result) {
    const message = `${state.label}: the response is longer than maxResponseBytes (${maxBytes})`;
    throw new ResponseError(message, { status, body: '' });
  }
  return { response, text, body, isJson, redactor };
}

/** A response with the body that openapi-fetch read, or `undefined` if the stated length is above the maximum. */
interface Received {
  response: Response;
  result: OpenapiResult | undefined;
}

/** Reads the response through openapi-fetch. A response that arrives after an abort has no effect. */
async function receive(
  coming: Promise<Response>,
  written: WrittenRequest,
  signal: AbortSignal,
  state: CallState,
  maxBytes: number,
): Promise<Received> {
  const response = await coming;
  signal.throwIfAborted();
  checkResponse(response);
  state.respond();
  if (Number(response.headers.get('content-length')) > maxBytes) {
    void observe(() => response.body?.cancel?.());
    return { response, result: undefined };
  }
  return { response, result: await written.read(response) };
}

/** The body of a response, as a string and as JSON. */
function readBody(result: OpenapiResult | undefined): Pick<ReadResponse, 'text' | 'body' | 'isJson'> {
  const { data, error = data ?? '' } = result ?? {};
  // openapi-fetch has parsed the JSON of a failure.
  if (typeof error !== 'string') return { text: stringify(error), body: error, isJson: true };
  try {
    return { text: error, body: error.trim() === '' ? undefined : JSON.parse(error), isJson: true };
  } catch {
    return { text: error, body: error, isJson: false };
  }
}

function stringify(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    // The body is nested too deeply.
    return '';
  }
}

/** Whether a response is a redirect, which the client does not follow. */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Adds the credential of the client to the headers. If `auth` is `null`, the caller or a hook can set it instead. */
function addCredential(headers: HeaderRecord, token: string | undefined, { hasCredential }: ClientSettings): void {
  if (hasCredential && headers.authorization !== undefined) throw new ConfigError(authorizationAdvice);
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
}

/** Checks the result of `fetch`, because a custom `fetch` can resolve to anything, including `Response.error()`. */
function checkResponse(response: Response): void {
  const { status, ok, headers, text }: Partial<Response> = Object(response);
  const isReadable =
    typeof headers?.get === 'function' && typeof headers.forEach === 'function' && typeof text === 'function';
  if (typeof status !== 'number' || typeof ok !== 'boolean' || !isReadable)
    throw new TypeError('fetch resolved to something that is not a Response');
  if (response.status === 0 && response.type !== 'opaqueredirect')
    throw new TypeError('fetch resolved to a network error');
}

/**
 * Whether the request was certainly not sent. If `trustConnectErrors` is `true`, a connect error from any `fetch` is sufficient
 * proof.
 */
function detectsUnsent(
  report: RequestReport,
  error: unknown,
  signal: AbortSignal,
  { trustConnectErrors }: ClientSettings,
): boolean {
  if (report.detectsUnsent(error)) return true;
  return trustConnectErrors && !signal.aborted && !report.isWritten && failedToConnect(error);
}

function connectionError(
  url: string,
  { label, current }: CallState,
  { code, reason, isFinal, isRefused }: ConnectionFailure & { isRefused: boolean },
  { fetch, trustConnectErrors }: ClientSettings,
  cause: unknown,
): ConnectionError {
  const what = current === 'no' || isFinal || isRefused ? 'could not connect to' : 'lost the connection to';
  const isUnclear = isRefused && current !== 'no' && !trustConnectErrors;
  const hint = isUnclear
    ? '; this fetch function may have sent the request over another connection, which the client cannot detect: see the option trustConnectErrors'
    : fetch === undefined && current === 'no'
      ? unusedProxy(url)
      : '';
  const shownCode = code !== undefined && !reason.includes(code) ? ` (${code})` : '';
  return new ConnectionError(`${label}: ${what} ${new URL(url).host}: ${reason}${shownCode}${hint}`, current, {
    cause,
  });
}

/** The secret in a request for a token. */
function clientSecretOf(body = '{}'): string | undefined {
  const { client_secret: secret }: { client_secret?: unknown } = Object(JSON.parse(body));
  return typeof secret === 'string' ? secret : undefined;
}

/** Returns the secrets to hide in all output: the secrets of the client and the credential of this attempt. */
function rememberSecret({ secrets }: ClientSettings, secret: string | undefined): string[] {
  if (secret !== undefined && !secrets.includes(secret)) {
    // Keep the first two secrets, which can belong to client credentials. Keep earlier tokens, because an error may show a token
    // after it was replaced.
    secrets.splice(2, 0, secret);
    secrets.splice(20);
  }
  return [...secrets];
}
