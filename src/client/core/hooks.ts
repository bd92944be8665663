import type { Sent } from '../../shared/call-types.ts';
import type { HookError } from './cause.ts';

/**
 * An attempt that is about to be sent, as passed to `onRequest`. It does not contain the credential, and contains the body only
 * if `showBodies` is `true`.
 */
export interface HookRequest extends Omit<HookAttempt, 'headers'> {
  /**
   * Headers to send. A hook can add headers here. The client adds the credential afterwards. If `auth` is `null`, a hook may
   * set `authorization`, which other hooks do not see. Otherwise, a hook that sets `authorization` fails the call.
   */
  readonly headers: Headers;
}

/** An attempt that was sent, as passed to observing hooks: plain data, without the credential. */
export interface HookAttempt {
  /** Number of the call, as in {@link HookStart}. */
  readonly callId: number;
  /** `operationId` of the operation. */
  readonly operationId: string;
  /** Method and path template, such as `GET /deals/{dealId}`. */
  readonly operation: string;
  /** Requested URL. It can contain search terms and IDs. */
  readonly url: string;
  /**
   * Number of the attempt: 1 for the first request of the call, and 1 more for each further request, including the request after
   * a 401.
   */
  readonly attempt: number;
  /** The headers that were sent, by lower-case name, without `authorization`. Other headers are not redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as a string, if `showBodies` is `true`. */
  readonly body?: string;
}

/** A response, as passed to hooks: plain data. */
export interface HookResponse {
  /** HTTP status. */
  readonly status: number;
  /** The headers of the response, by lower-case name. A credential in them is `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from sending the request to the end of the response body. */
  readonly duration: number;
  /** The body as a string, if `showBodies` is `true`. A credential in it is `[redacted]`. */
  readonly body?: string;
}

/** A call that has started, as passed to hooks: plain data. */
export interface HookStart {
  /** Number of the call, unique in the process. Errors of the call contain it as `callId`. */
  readonly callId: number;
  /** `operationId` of the operation. */
  readonly operationId: string;
  /** Method and path template, such as `GET /deals/{dealId}`. */
  readonly operation: string;
}

/** A call that has ended, as passed to hooks: plain data. */
export interface HookCall extends HookStart {
  /** Number of times that `fetch` was called. */
  readonly attempts: number;
  /** Whether any attempt of the call may have been processed. */
  readonly sent: Sent;
  /** Error of the call, or the abort reason. Absent if the call succeeded. */
  readonly error?: HookError;
}

/**
 * Hooks for every call and every attempt, for logs, metrics and additional headers. `callId` links the attempts of a call.
 * `onRequest` can change the request: the call waits for the hook within the deadline, sends the headers that the hook adds, and
 * rejects with an error that the hook throws. All other hooks only observe. The call does not wait for them, and their errors are
 * logged as warnings. For traces, use `carillon/otel`. A middleware can have other fields, but a name such as `onFinish` is
 * invalid, because it looks like a misspelled hook.
 *
 * @example
 * ```ts
 * import type { Middleware } from 'carillon';
 *
 * const log: Middleware = {
 *   onStart: ({ callId, operation }) => console.log(callId, operation),
 *   onResponse: ({ callId }, { status, duration }) => console.log(callId, status, duration),
 *   onEnd: ({ callId, attempts, sent }) => console.log(callId, attempts, sent),
 * };
 * ```
 */
export interface Middleware {
  /** Called at the start of a call. */
  onStart?(call: HookStart): void | Promise<void>;
  /** Called before an attempt. The call waits for the hook. */
  onRequest?(request: HookRequest): void | Promise<void>;
  /** Called after a response, with any status. */
  onResponse?(request: HookAttempt, response: HookResponse): void | Promise<void>;
  /**
   * Called after an attempt without a complete response. The error has the name, message, code and stack frames of the original
   * error, without the credential.
   */
  onError?(request: HookAttempt, error: HookError): void | Promise<void>;
  /** Called when a call has ended, with any outcome. */
  onEnd?(call: HookCall): void | Promise<void>;
}
