import type { CallState } from './call-state.ts';
import { cleanCause } from './clean-cause.ts';
import { type ConnectionFailure, causesOf, failedToConnect, readConnectionFailure } from './connection-failure.ts';
import type { Deadline } from './deadline.ts';
import { ConfigError, ConnectionError, ResponseError } from './errors/local-errors.ts';
import { describeError, type HookRequest, type HookResponse, type HookTry } from './hooks.ts';
import { observe } from './observe.ts';
import { readBody } from './read-body.ts';
import { Redactor } from './redact.ts';
import { observeRequests, RequestEvidence } from './request-evidence.ts';
import { authorizationAdvice, type Settings } from './settings.ts';

/** By names in lower case. A call with `Headers` would take 3 % longer. */
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
  redactor: Redactor;
  /** Why the call was not tried again, for the message of an error. */
  note?: string | undefined;
}

/** A try that got no answer. */
export interface LostTry {
  error: ConnectionError;
  /** Another try would fail in the same way. */
  isFinal: boolean;
}

/** What the tries of a call share besides the request. */
export interface Shared {
  settings: Settings;
  deadline: Deadline;
  state: CallState;
  /** The operation takes no credential: it is the token operation. */
  anonymous: boolean | undefined;
  /** It can be sent twice without harm. */
  repeatable: boolean;
}

/** What differs from try to try. */
export interface Try {
  /** Number of the try, without replays. */
  attempt: number;
  token: string | undefined;
  /** Milliseconds that the try may take, if another one can follow it. */
  limit: number | undefined;
  /** Headers of the subscribers of a tracing channel. */
  added: HeaderRecord | undefined;
}

/**
 * One request and its answer, between the hooks. No answer is a result here, since the request may be sent again. What
 * `onRequest` throws ends the call; the other hooks only observe.
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
  const longest = longestReply(settings, anonymous);
  const evidence = new RequestEvidence(request.method, request.url);
  const started = hooks ? performance.now() : 0;
  let response: Response;
  let body: Awaited<ReturnType<typeof readBody>>;
  state.url = request.url;
  try {
    state.tries += 1;
    state.current = 'maybe';
    if (current.limit !== undefined) deadline.startTry(current.limit);
    const { url, method, body: content } = request;
    // Redirects are answers here: following one would send the body to an address that nobody named.
    const init: RequestInit = { method, headers, signal: deadline.signal, redirect: 'manual', body: content };
    response = await deadline.race(observeRequests(evidence, () => settings.fetch(url, init)));
    checkResponse(response);
    state.answer(response.status);
    body = await deadline.race(readBody(response, longest));
    if (body?.isCut && response.ok && shared.repeatable) throw new Error(`the reply ended after ${body.size} bytes`);
    deadline.endTry();
  } catch (error) {
    deadline.endTry();
    state.noteCopies(evidence.copies);
    // The reason of an abort is the caller's own.
    const cause = error === deadline.signal.reason ? error : cleanCause(error, redactor);
    hooks?.error(cause);
    deadline.signal.throwIfAborted();
    const failure = readConnectionFailure(cause);
    const isUnsent = state.current !== 'yes' && provesUnsent(evidence, error, failure, settings);
    state.current = isUnsent ? 'no' : 'maybe';
    const lost = connectionError(request.url, state, failure, cause);
    state.error = lost;
    return { error: lost, isFinal: failure.isRefusedByClient };
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
  return { response, text: body.text, redactor };
}

/** Headers of subscribers of a tracing channel, by names in lower case. */
function readAdded(added: HeaderRecord | undefined): HeaderRecord | undefined {
  if (added === undefined || Object.keys(added).length === 0) return undefined;
  try {
    return Object.fromEntries(new Headers(added));
  } catch {
    // The cause is left out: it can contain the value.
    throw new ConfigError('A subscriber of the tracing channel carillon:try added a header that is not valid');
  }
}

/** Adds the credential of the client to headers. Those of the caller or of a hook are its only one with `auth: null`. */
function addCredential(headers: HeaderRecord, token: string | undefined, { hasCredential }: Settings): void {
  if (hasCredential && headers.authorization !== undefined) throw new ConfigError(authorizationAdvice);
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
}

/** A custom `fetch` can resolve to anything, and `Response.error()` is no answer. */
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
 * Whether the request certainly never left. The error must be one of connecting, and Node must show that it is the error of a
 * request that was not written: a wrapper may have sent the request in a way that no channel shows, and some versions of undici do
 * not report what they write over HTTP/2. Or the caller vouches for `fetch`.
 */
function provesUnsent(
  evidence: RequestEvidence,
  error: unknown,
  { isRefusedByClient }: ConnectionFailure,
  { trustConnectErrors }: Settings,
): boolean {
  const isConnectError = failedToConnect(error);
  if (evidence.showsUnsent && (isConnectError || isRefusedByClient) && isErrorOf(evidence, error)) return true;
  return trustConnectErrors && evidence.written === 0 && isConnectError;
}

/** Whether an error is that of a request, or was caused by it. */
function isErrorOf({ errors }: RequestEvidence, error: unknown): boolean {
  return causesOf(error).some((cause) => errors.includes(cause));
}

function connectionError(
  url: string,
  { label, current }: CallState,
  { code, reason, isRefusedByClient }: ConnectionFailure,
  cause: unknown,
): ConnectionError {
  const what = current === 'no' || isRefusedByClient ? 'could not connect to' : 'lost the connection to';
  const shownCode = code !== undefined && !reason.includes(code) ? ` (${code})` : '';
  return new ConnectionError(`${label}: ${what} ${new URL(url).host}: ${reason}${shownCode}`, current, { cause });
}

/** The secrets that no output may show: those of the client and the credential of this try. */
function rememberSecret({ secrets }: Settings, secret: string | undefined): string[] {
  // A secret of three characters or fewer would match too much text.
  if (secret !== undefined && secret.length > 3 && !secrets.includes(secret)) {
    // The first one can be the client secret. Others may have replaced a token when an error shows it.
    secrets.splice(1, 0, secret);
    secrets.splice(20);
  }
  return [...secrets];
}

/** A reply with a token is short, and V8 has no longer texts. */
function longestReply({ maxReplyBytes }: Settings, anonymous: boolean | undefined): number {
  return Math.min(maxReplyBytes, anonymous ? 2 ** 20 : 2 ** 29 - 24);
}

/** The hooks of one try. */
class TryHooks {
  readonly #request: OutgoingRequest;
  readonly #shared: Shared;
  readonly #try: Try;
  /** The token operation carries secrets in its bodies, so hooks never see those. */
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
      // No other hook sees it.
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
