import type { CallState } from './call-state.ts';
import { cleanCause } from './cause.ts';
import { type ConnectionFailure, failedToConnect, readConnectionFailure } from './connection-failure.ts';
import type { Deadline } from './deadline.ts';
import { ConfigError, ConnectionError, ResponseError } from './errors/local-errors.ts';
import { AttemptHooks, type HeaderRecord, observe } from './observe.ts';
import { Redactor } from './redact.ts';
import { RequestReport } from './request-report.ts';
import { authorizationAdvice, type Settings } from './settings.ts';

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: HeaderRecord;
  body: string | undefined;
}

/** A response whose body was read within the deadline. */
export interface ReadResponse {
  response: Response;
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

/** An attempt without a response. */
export interface LostAttempt {
  error: ConnectionError;
  /** Whether a retry would fail in the same way. */
  isFinal: boolean;
}

/** Data shared by the attempts of a call, besides the request. */
export interface Shared {
  settings: Settings;
  deadline: Deadline;
  state: CallState;
  /** Whether the operation takes no credential, such as the token operation. */
  anonymous: boolean | undefined;
  /** Whether the request can safely be sent twice. */
  repeatable: boolean;
}

/** Data of a single attempt. */
export interface Attempt {
  token: string | undefined;
  /** Time limit of the attempt in milliseconds, if another one can follow it. */
  limit: number | undefined;
  /** Headers added by subscribers of the tracing channel. */
  added: HeaderRecord | undefined;
}

/**
 * Sends one request, calls the hooks and reads the response. Returns a lost connection as a result, because the request may be
 * retried. An error of `onRequest` ends the call; errors of other hooks do not.
 */
export async function exchange(
  request: OutgoingRequest,
  shared: Shared,
  attempt: Attempt,
): Promise<ReadResponse | LostAttempt> {
  const { settings, deadline, state, anonymous } = shared;
  // Most clients have no hooks.
  const hooks = settings.middleware.length > 0 ? new AttemptHooks(request, shared) : undefined;
  const given: HeaderRecord = { ...request.headers, ...readAdded(attempt.added) };
  const headers = hooks ? await hooks.request(given) : given;
  addCredential(headers, attempt.token, settings);
  rememberSecret(settings, attempt.token ?? headers.authorization?.replace(/^\S+ /, ''));
  const redactor = new Redactor(settings.secrets, request.body);
  const maxBytes = maxBodyBytes(settings, anonymous);
  const started = hooks ? performance.now() : 0;
  state.url = request.url;
  if (attempt.limit !== undefined) deadline.startAttempt(attempt.limit);
  const { signal } = deadline;
  const report = new RequestReport(settings.fetch ?? globalThis.fetch, signal);
  let received: Received;
  try {
    state.attempts += 1;
    state.current = 'maybe';
    // Do not follow redirects, which would send the body to an address that the caller did not specify.
    const init: RequestInit = { method: request.method, headers, signal, redirect: 'manual', body: request.body };
    received = await deadline.race(receive(report.call(request.url, init), signal, state, maxBytes));
    const { response, body } = received;
    if (body?.isCut && response.ok && shared.repeatable) throw new Error(`the reply ended after ${body.size} bytes`);
  } catch (error) {
    const isUnsent = state.current !== 'yes' && provesUnsent(report, error, signal, settings);
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
    deadline.endAttempt();
  }
  const { response, body } = received;
  hooks?.response(response, body?.text, redactor, started);
  const { status } = response;
  if (body === undefined) {
    const message = `${state.label}: the reply is longer than maxResponseBytes (${maxBytes})`;
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

/** A response and its body. The body is `undefined` if it is too long. */
interface Received {
  response: Response;
  body: ReadBody | undefined;
}

/** Reads the response. One that comes after an abort changes nothing. */
async function receive(
  coming: Promise<Response>,
  signal: AbortSignal,
  state: CallState,
  maxBytes: number,
): Promise<Received> {
  const response = await coming;
  signal.throwIfAborted();
  checkResponse(response);
  state.respond(response.status);
  return { response, body: await readBody(response, maxBytes) };
}

function parseBody(text: string): { body: unknown; isJson: boolean } {
  try {
    return { body: text === '' ? undefined : JSON.parse(text), isJson: true };
  } catch {
    return { body: text, isJson: false };
  }
}

/** Whether a response is a redirect, which the client does not follow. */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Validates the headers added by subscribers of the tracing channel, and makes their names lower case. */
function readAdded(added: HeaderRecord | undefined): HeaderRecord | undefined {
  if (added === undefined || Object.keys(added).length === 0) return undefined;
  try {
    return Object.fromEntries(new Headers(added));
  } catch {
    // Omit the cause, because it can contain the value.
    throw new ConfigError('A subscriber of the tracing channel carillon:attempt added a header that is not valid');
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

/** Whether the request was certainly not sent. With `trustConnectErrors`, a connect error of any `fetch` is enough. */
function provesUnsent(
  report: RequestReport,
  error: unknown,
  signal: AbortSignal,
  { trustConnectErrors }: Settings,
): boolean {
  if (report.provesUnsent(error)) return true;
  return trustConnectErrors && !signal.aborted && !report.isWritten && failedToConnect(error);
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

/** Remembers the credential of an attempt, to hide it in all output. */
function rememberSecret({ secrets }: Settings, secret: string | undefined): void {
  // A secret of three characters or fewer would match too much text.
  if (secret === undefined || secret.length < 4 || secrets.includes(secret)) return;
  // Keep the first one, which can be the client secret. Keep earlier tokens, because an error may show one after it was replaced.
  secrets.splice(1, 0, secret);
  secrets.splice(20);
}

/** The limit is lower for the token operation, whose responses are short, and never exceeds V8's longest string. */
function maxBodyBytes({ maxResponseBytes }: Settings, anonymous: boolean | undefined): number {
  return Math.min(maxResponseBytes, anonymous ? 2 ** 20 : 2 ** 29 - 24);
}

const decoder = /* @__PURE__ */ new TextDecoder();

export interface ReadBody {
  text: string;
  /** Bytes received, after decompression. */
  size: number;
  /** Whether the connection ended before the stated length. `fetch` does not always reject in this case. */
  isCut: boolean;
  /** The charset that the response declares, if it was read as UTF-8 instead. `undefined` if that makes no difference. */
  ignoredCharset?: string | undefined;
}

/**
 * Reads a body as text, up to a limit. The `Content-Length` of a response is not reliable for that.
 *
 * @param limit - maximum number of bytes after decompression
 * @returns `undefined` if the body is longer; the rest is not received
 */
export async function readBody(response: Response, limit: number): Promise<ReadBody | undefined> {
  // There is no body, or a custom `fetch` returns bodies that are not streams.
  const reader = response.body?.getReader?.();
  if (!reader) {
    const hasBytes = declaredCharset(response) !== undefined && typeof response.arrayBuffer === 'function';
    const decoded = hasBytes
      ? decode(new Uint8Array(await response.arrayBuffer()), response)
      : { text: await response.text() };
    const { length } = decoded.text;
    if (length > limit) return undefined;
    // The number of bytes is known only if the text is empty.
    return { ...decoded, size: length, isCut: length === 0 && statedLength(response) > 0 };
  }
  // Most bodies are one chunk. Copy the chunks of other bodies into one buffer, because keeping each chunk would cost a hundred
  // bytes per byte if a hostile server sends tiny chunks.
  let bytes: Uint8Array | undefined;
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) {
      const decoded =
        bytes === undefined ? { text: '' } : decode(bytes.length === size ? bytes : bytes.subarray(0, size), response);
      return { ...decoded, size, isCut: !endsWithBracket(decoded.text) && size < statedLength(response) };
    }
    const start = size;
    size += value.length;
    if (size > limit) {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    if (!bytes) {
      bytes = value;
      continue;
    }
    if (size > bytes.length) {
      const old = bytes;
      bytes = new Uint8Array(2 * size);
      bytes.set(old);
    }
    bytes.set(value, start);
  }
}

/**
 * Decodes a body. JSON is UTF-8 (RFC 8259, section 8.1), also if a server declares another charset by mistake. The declared charset
 * counts if the bytes are not UTF-8, or contain what no JSON contains: NUL or ESC, of UTF-16 and ISO-2022-JP.
 */
function decode(bytes: Uint8Array, response: Response): Pick<ReadBody, 'text' | 'ignoredCharset'> {
  const text = decoder.decode(bytes);
  const hasControl = text.includes('\0') || text.includes('\u001b');
  // Text of ASCII characters is the same in all other charsets. This avoids reading headers, which is slow, for most responses.
  if (text.length === bytes.length && !hasControl && !text.includes('\ufffd')) return { text };
  const charset = declaredCharset(response);
  if (charset === undefined) return { text };
  const declared = hasControl || !isUtf8(bytes) ? decoderFor(charset) : undefined;
  return declared ? { text: declared.decode(bytes) } : { text, ignoredCharset: charset };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The charset in the content type, unless it is UTF-8. */
function declaredCharset({ headers }: Response): string | undefined {
  const charset = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(headers.get('content-type') ?? '')?.[1];
  return charset !== undefined && /^utf-?8$/i.test(charset) ? undefined : charset;
}

/** Returns `undefined` if the platform does not know the charset. */
function decoderFor(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/** Whether a text may be a complete record or list. This avoids reading headers, which is slow, for most responses. */
function endsWithBracket(text: string): boolean {
  const last = text.at(-1);
  return last === '}' || last === ']';
}

/** The `Content-Length`, or 0 if it does not state the length of the content, as for a compressed body. */
function statedLength({ status, headers }: Response): number {
  if (status === 204 || status === 304 || headers.get('content-encoding') !== null) return 0;
  const stated = headers.get('content-length');
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : 0;
}
