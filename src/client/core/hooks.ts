import type { Sent } from './errors/base.ts';

/** A try that is about to be sent, as `onRequest` sees it: without its credential, and without its body unless `showBodies` is on. */
export interface HookRequest extends Omit<HookTry, 'headers'> {
  /**
   * Headers that are sent; what a hook sets here is sent too. The credential is added afterwards. With `auth: null`, a hook may set
   * `authorization`, and no other hook sees it; otherwise that fails the call.
   */
  readonly headers: Headers;
}

/** A try that was sent, as observing hooks see it: frozen plain data, without its credential. */
export interface HookTry {
  /** Number of the call, as in {@link HookStart}. */
  readonly callId: number;
  /** `operationId` of the operation. */
  readonly operationId: string;
  /** `GET /deals/{dealId}`: method and path template. */
  readonly operation: string;
  /** The address as it is sent. It can hold search terms and ids. */
  readonly url: string;
  /** Number of the try: 0 for the first, 1 for the first repetition. */
  readonly attempt: number;
  /** The headers that were sent, by names in lower case, without `authorization`. Other headers are shown as they are. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, where `showBodies` is on. */
  readonly body?: string;
}

/** An answer as hooks see it: frozen plain data. */
export interface HookResponse {
  /** HTTP status. */
  readonly status: number;
  /** The headers of the answer, by names in lower case. A value that repeats the credential is `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from sending to the end of the body. */
  readonly duration: number;
  /** The body as text, where `showBodies` is on. One that repeats the credential is `[redacted]`. */
  readonly body?: string;
}

/** A call that starts, as hooks see it: frozen plain data. */
export interface HookStart {
  /** Number of the call, which no other call of the process has. Errors of the call have it as `callId`. */
  readonly callId: number;
  /** `operationId` of the operation. */
  readonly operationId: string;
  /** `GET /deals/{dealId}`: method and path template. */
  readonly operation: string;
}

/** A call that has ended, as hooks see it: frozen plain data. */
export interface HookCall extends HookStart {
  /** Number of requests that were sent. */
  readonly tries: number;
  /** Whether the call may have been processed, over all its tries. */
  readonly sent: Sent;
  /** The error of the call, or the reason of an abort; absent if the call succeeded. */
  readonly error?: HookError;
}

/** An error as hooks see it: frozen plain data, so that a log keeps it. */
export interface HookError {
  /** Name, such as `NotFoundError`. */
  readonly name: string;
  /** Message, without the credential. */
  readonly message: string;
  /** Code of the service or of the platform, such as `ECONNREFUSED`. */
  readonly code?: string;
  /** HTTP status of an answer. */
  readonly status?: number;
  /** Stack frames. */
  readonly stack?: string;
  /** The error that led to it. */
  readonly cause?: HookError;
}

/**
 * Observes every call and every try of it: for logs, metrics and headers of your own. `callId` tells which belong together.
 * `onRequest` takes part: the call waits for it within its deadline, sends the headers that it adds, and fails with what it throws.
 * All other hooks only observe: the call does not wait for what they return, and what they throw costs a warning and changes
 * nothing. For traces, use `carillon/otel`.
 *
 * @example
 * ```ts
 * import type { Middleware } from 'carillon';
 *
 * const log: Middleware = {
 *   onStart: ({ callId, operation }) => console.log(callId, operation),
 *   onResponse: ({ callId }, { status, duration }) => console.log(callId, status, duration),
 *   onEnd: ({ callId, tries, sent }) => console.log(callId, tries, sent),
 * };
 * ```
 */
export interface Middleware {
  /** Before anything else of a call. */
  onStart?(call: HookStart): void | Promise<void>;
  /** Before a try. The call waits for it. */
  onRequest?(request: HookRequest): void | Promise<void>;
  /** After an answer, whatever its status. */
  onResponse?(request: HookTry, response: HookResponse): void | Promise<void>;
  /** After a try without an answer. The error has name, message, code and stack frames of the original, without the credential. */
  onError?(request: HookTry, error: HookError): void | Promise<void>;
  /** After the end of a call, however it ended. */
  onEnd?(call: HookCall): void | Promise<void>;
}

const deepest = 5;

/** Copies what a hook may see of an error that holds no credential any more. An abort can have any reason. */
export function describeError(error: unknown, depth = 0): HookError {
  if (typeof error !== 'object' || error === null) return Object.freeze({ name: typeof error, message: String(error) });
  const { name, message, code, status, stack, cause } = membersOf(error);
  return Object.freeze({
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : '',
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
    ...(typeof stack === 'string' && { stack }),
    ...(cause !== undefined && depth < deepest && { cause: describeError(cause, depth + 1) }),
  });
}

/** The members of an error, which are not all its own. The reason of an abort can have getters that throw. */
function membersOf(error: object): Record<string, unknown> {
  const names = ['name', 'message', 'code', 'status', 'stack', 'cause'];
  try {
    return Object.fromEntries(names.map((name) => [name, Reflect.get(error, name)]));
  } catch {
    return {};
  }
}
