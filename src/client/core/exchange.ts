import type { CallState } from './call-state.ts';
import { cleanCause } from './clean-cause.ts';
import { type ConnectionFailure, failedToConnect, readConnectionFailure } from './connection-failure.ts';
import type { Deadline } from './deadline.ts';
import { describeError } from './describe-error.ts';
import { ConfigError, ConnectionError, ResponseError } from './errors/local-errors.ts';
import type { HookRequest, HookResponse, HookTry } from './hooks.ts';
import { observe } from './observe.ts';
import { readBody } from './read-body.ts';
import { Redactor } from './redact.ts';
import { observeRequests, RequestEvidence } from './request-evidence.ts';
import { authorizationAdvice, type Settings } from './settings.ts';

/** Headers by lower-case name. Using `Headers` would make a call 3 % slower. */
export type HeaderRecord = Record<string, string>;

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: HeaderRecord;
  body: string | undefined;
}

export interface Answer {
  response: Response;
  /** The body, read within the deadline. */
  text: string;
  /** The declared charset, if the body was read as UTF-8 instead. */
  ignoredCharset?: string | undefined;
  /** The body as parsed JSON, or as text if it is not JSON; `undefined` without a body. */
  body: unknown;
  isJson: boolean;
  redactor: Redactor;
  /** Why the call was not retried, for an error message. */
  note?: string | undefined;
}

/** A try that got no answer. */
export interface LostTry {
  error: ConnectionError;
  /** Whether a retry would fail in the same way. */
  isFinal: boolean;
}

/** Data shared by the tries of a call, besides the request. */
export interface Shared {
  settings: Settings;
  deadline: Deadline;
  state: CallState;
  /** Whether the operation takes no credential, as the token operation. */
  anonymous: boolean | undefined;
  /** Whether the request can safely be sent twice. */
  repeatable: boolean;
}

/** Data of a single try. */
export interface Try {
  /** Number of the try, from 0, without replays after a 401. */
  attempt: number;
  token: string | undefined;
  /** Time limit of the try in milliseconds, if another one can follow it. */
  limit: number | undefined;
  /** Headers added by subscribers of the tracing channel. */
  added: HeaderRecord | undefined;
}

/**
 * Sends one request, calls the hooks and reads the answer. Returns a lost connection as a result, because the request may be
 * retried. An error of `onRequest` ends the call; errors of other hooks do not.
 */
export async function exchange(request: OutgoingRequest, shared: Shared, current: Try): Promise<Answer | LostTry> {
  const { settings, deadline, state, anonymous } = shared;
  // Most clients have no hooks.
  const hooks = settings.middleware.length > 0 ? new TryHooks(request, shared, current) : undefined;
  const given: HeaderRecord = { ...request.headers, ...readAdded(current.added) };
  const headers = hooks ? await hooks.request(given) : given;
  addCredential(headers, current.token, settings);
  const secret = current.token ?? headers.authorization?.replace(/^\S+ /, '');
  const redactor = new Redactor(rememberSecret(settings, secret), request.body);
  const longest = replyLimit(settings, anonymous);
  const evidence = new RequestEvidence(request.method, request.url);
  let { signal } = deadline;
  const started = hooks ? performance.now() : 0;
  let response: Response;
  let body: Awaited<ReturnType<typeof readBody>>;
  state.url = request.url;
  try {
    state.tries += 1;
    state.current = 'maybe';
    if (current.limit !== undefined) deadline.startTry(current.limit);
    signal = deadline.signal;
    const { url, method, body: content } = request;
    // Do not follow redirects, which would send the body to an address that the caller did not specify.
    const init: RequestInit = { method, headers, signal, redirect: 'manual', body: content };
    response = await deadline.race(observeRequests(evidence, settings.fetch ?? globalThis.fetch, url, init));
    checkResponse(response);
    state.answer(response.status);
    body = await deadline.race(readBody(response, longest));
    if (body?.isCut && response.ok && shared.repeatable) throw new Error(`the reply ended after ${body.size} bytes`);
  } catch (error) {
    state.noteCopies(evidence.copies);
    const isUnsent = state.current !== 'yes' && provesUnsent(evidence, error, signal, settings);
    if (isUnsent) state.current = 'no';
    // Keep the caller's reason of an abort unchanged.
    const cause = error === deadline.signal.reason ? error : cleanCause(error, redactor);
    hooks?.error(cause);
    deadline.signal.throwIfAborted();
    if (!isUnsent) state.current = 'maybe';
    const failure = readConnectionFailure(cause);
    const lost = connectionError(request.url, state, failure, cause);
    state.error = lost;
    return { error: lost, isFinal: failure.isFinal };
  } finally {
    deadline.endTry();
    evidence.end();
  }
  state.noteCopies(evidence.copies);
  hooks?.response(response, body?.text, redactor, started);
  const { status } = response;
  if (body === undefined) {
    const message = `${state.label}: the reply is longer than maxReplyBytes (${longest})`;
    throw new ResponseError(message, { status, body: '' });
  }
  if (body.isCut && response.ok) {
    const message = `${state.label}: the service answered, but its reply ended after ${body.size} bytes`;
    throw new ResponseError(message, { status, body: body.text });
  }
  const { text, ignoredCharset } = body;
  const parsed = parseBody(text);
  if (settings.validate?.observe && !isRedirect(response)) {
    const { validate } = settings;
    void observe(() => validate.observe?.(state.operationId, status, parsed.body));
  }
  return { response, text, ignoredCharset, body: parsed.body, isJson: parsed.isJson, redactor };
}

function parseBody(text: string): { body: unknown; isJson: boolean } {
  try {
    return { body: text === '' ? undefined : JSON.parse(text), isJson: true };
  } catch {
    return { body: text, isJson: false };
  }
}

/** Whether an answer is a redirect, which the client does not follow. */
export function isRedirect({ ok, type, status }: Response): boolean {
  return !ok && (type === 'opaqueredirect' || (status >= 300 && status < 400));
}

/** Validates the headers added by subscribers of the tracing channel, and makes their names lower case. */
function readAdded(added: HeaderRecord | undefined): HeaderRecord | undefined {
  if (added === undefined || Object.keys(added).length === 0) return undefined;
  try {
    return Object.fromEntries(new Headers(added));
  } catch {
    // Omit the cause, because it can contain the value.
    throw new ConfigError('A subscriber of the tracing channel carillon:try added a header that is not valid');
  }
}

/** Adds the credential of the client to the headers. With `auth: null`, the caller or a hook can set it instead. */
function addCredential(headers: HeaderRecord, token: string | undefined, { hasCredential }: Settings): void {
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
 * Whether the request was certainly not sent. Missing reports are not enough, because a wrapper may send the request in a way that
 * diagnostics channels do not report. With `trustConnectErrors`, a connect error is enough.
 *
 * @param signal - the signal that `fetch` received
 */
function provesUnsent(
  evidence: RequestEvidence,
  error: unknown,
  signal: AbortSignal,
  { proveUnsent, trustConnectErrors }: Settings,
): boolean {
  if (proveUnsent && (signal.aborted ? evidence.showsDropped : evidence.provesUnsent(error))) return true;
  return !signal.aborted && trustConnectErrors && evidence.written === 0 && failedToConnect(error);
}

function connectionError(
  url: string,
  { label, current }: CallState,
  { code, reason, isFinal }: ConnectionFailure,
  cause: unknown,
): ConnectionError {
  const what = current === 'no' || isFinal ? 'could not connect to' : 'lost the connection to';
  const shownCode = code !== undefined && !reason.includes(code) ? ` (${code})` : '';
  return new ConnectionError(`${label}: ${what} ${new URL(url).host}: ${reason}${shownCode}`, current, { cause });
}

/** Returns the secrets to hide in all output: those of the client and the credential of this try. */
function rememberSecret({ secrets }: Settings, secret: string | undefined): string[] {
  // A secret of three characters or fewer would match too much text.
  if (secret !== undefined && secret.length > 3 && !secrets.includes(secret)) {
    // Keep the first one, which can be the client secret. Keep earlier tokens, because an error may show one after it was
    // replaced.
    secrets.splice(1, 0, secret);
    secrets.splice(20);
  }
  return [...secrets];
}

/** The limit is lower for the token operation, whose replies are short, and never exceeds V8's longest string. */
function replyLimit({ maxReplyBytes }: Settings, anonymous: boolean | undefined): number {
  return Math.min(maxReplyBytes, anonymous ? 2 ** 20 : 2 ** 29 - 24);
}

/** The hooks of one try. */
class TryHooks {
  readonly #request: OutgoingRequest;
  readonly #shared: Shared;
  readonly #try: Try;
  /** Hooks never see the bodies of the token operation, because they contain secrets. */
  readonly #showsBodies: boolean;
  #sent: HeaderRecord = {};

  constructor(request: OutgoingRequest, shared: Shared, current: Try) {
    this.#request = request;
    this.#shared = shared;
    this.#try = current;
    this.#showsBodies = shared.settings.showBodies === true && !shared.anonymous;
  }

  /**
   * Lets hooks add headers.
   *
   * @returns the headers to send, without the credential of the client
   */
  async request({ authorization: given, ...headers }: HeaderRecord): Promise<HeaderRecord> {
    const { settings, deadline } = this.#shared;
    const open = new Headers(headers);
    const shown: HookRequest = Object.freeze({ ...this.#describe(), headers: open });
    let authorization = given;
    for (const hook of settings.middleware) {
      await deadline.race(Promise.resolve(hook.onRequest?.(shown)));
      authorization = open.get('authorization') ?? authorization;
      // Hide it from the other hooks.
      open.delete('authorization');
    }
    this.#sent = Object.fromEntries(open);
    return authorization === undefined ? { ...this.#sent } : { ...this.#sent, authorization };
  }

  response(response: Response, text: string | undefined, redactor: Redactor, started: number): void {
    const headers: HeaderRecord = {};
    response.headers.forEach((value, name) => {
      headers[name] = redactor.redact(value);
    });
    const seen: HookResponse = Object.freeze({
      status: response.status,
      headers: Object.freeze(headers),
      duration: performance.now() - started,
      ...(this.#showsBodies && text !== undefined && { body: redactor.redact(text) }),
    });
    const shown = this.#describeSent();
    this.#tell('onResponse', (hook) => hook.onResponse?.(shown, seen));
  }

  error(cause: unknown): void {
    const [shown, error] = [this.#describeSent(), describeError(cause)];
    this.#tell('onError', (hook) => hook.onError?.(shown, error));
  }

  #tell(name: 'onResponse' | 'onError', action: (hook: Settings['middleware'][number]) => unknown): void {
    const { middleware, logger } = this.#shared.settings;
    for (const hook of middleware) observe(() => action(hook), logger, name);
  }

  #describe(): Omit<HookTry, 'headers'> {
    const { callId, operationId, operation } = this.#shared.state;
    const { url, body } = this.#request;
    const visible = this.#showsBodies && body !== undefined;
    return { callId, operationId, operation, url, attempt: this.#try.attempt, ...(visible && { body }) };
  }

  #describeSent(): HookTry {
    return Object.freeze({ ...this.#describe(), headers: Object.freeze({ ...this.#sent }) });
  }
}
