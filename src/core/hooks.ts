import type { Sent } from './errors/base.ts';

/** A request as hooks see it: without its credential, and without its body unless `showBodies` is on. */
export interface HookRequest {
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
  /**
   * Headers that are sent; what a hook sets here is sent too. `Authorization` is added afterwards; one that a hook sets is sent if
   * the client has none, and no other hook sees it. Other headers that you or hooks add are shown as they are.
   */
  readonly headers: Headers;
  /** The body as text, where `showBodies` is on. */
  readonly body?: string;
}

/** An answer as hooks see it. */
export interface HookResponse {
  /** HTTP status. */
  readonly status: number;
  /** A copy of the headers of the answer. A value that repeats the credential is `[redacted]`. */
  readonly headers: Headers;
  /** Milliseconds from sending to the end of the body. */
  readonly duration: number;
  /** The body as text, where `showBodies` is on. One that repeats the credential is `[redacted]`. */
  readonly body?: string;
}

/** A call that starts, as hooks see it. */
export interface HookStart {
  /** Number of the call, which no other call of the process has. */
  readonly callId: number;
  /** `operationId` of the operation. */
  readonly operationId: string;
  /** `GET /deals/{dealId}`: method and path template. */
  readonly operation: string;
}

/** A call that has ended, as hooks see it. */
export interface HookCall extends HookStart {
  /** Number of requests that were sent. */
  readonly tries: number;
  /** Whether the call may have been processed, over all its tries. */
  readonly sent: Sent;
  /** What the call failed with, such as an `ApiError` or the reason of an abort; `undefined` if it succeeded. */
  readonly error: unknown;
}

/**
 * Observes every call and every try of it: for logs, metrics and headers of your own. `callId` tells which belong together. What
 * `onRequest` throws fails the call as it is, before the try is sent. The other hooks only observe: what they throw costs a
 * warning and hides no outcome. For traces, use `carillon/otel`.
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
  /** Before anything else of a call. The call does not wait for it. */
  onStart?(call: HookStart): void | Promise<void>;
  /** Before a try. */
  onRequest?(request: HookRequest): void | Promise<void>;
  /** After an answer, whatever its status. */
  onResponse?(request: HookRequest, response: HookResponse): void | Promise<void>;
  /** After a try without an answer. The error is a copy of its name, message, code and stack frames, without the credential. */
  onError?(request: HookRequest, error: unknown): void | Promise<void>;
  /** After the end of a call, however it ended. The call does not wait for it. */
  onEnd?(call: HookCall): void | Promise<void>;
}
