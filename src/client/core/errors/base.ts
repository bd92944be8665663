/** Marks every error. All copies of the package share it. */
export const brand = Symbol.for('carillon.error');

/**
 * Whether a call may have been processed, over all its tries:
 *
 * - `no`: it certainly was not: no try was sent
 * - `maybe`: a try may have been processed: its reply was lost, or another try was answered
 * - `yes`: the service answered, and the answer is about the only try that may have been processed
 *
 * The service has no idempotency keys, so a caller who wants to repeat a call that creates or sends something decides by
 * this.
 */
export type Sent = 'no' | 'maybe' | 'yes';

/** What an error says about the call that it ended. */
export interface CallDetails {
  /** `operationId` of the operation. */
  operationId: string;
  /** HTTP method, such as `GET`. */
  method: string;
  /** Path template, such as `/deals/{dealId}`. */
  path: string;
  /** Number of requests that were sent: 0 if the call failed before the first. */
  tries: number;
  /** Whether the call may have been processed, over all tries. */
  sent: Sent;
  /** Number of the call, as hooks and traces have it. */
  callId: number;
  /** The requested address without its query. `undefined` if the call failed before its first try. */
  url: string | undefined;
}

/** The name of every error that the client throws. */
export type ErrorName =
  | 'ApiError'
  | 'AuthenticationError'
  | 'PermissionDeniedError'
  | 'NotFoundError'
  | 'UnprocessableEntityError'
  | 'RateLimitError'
  | 'ServerError'
  | 'ConnectionError'
  | 'DeadlineError'
  | 'TokenError'
  | 'ResponseError'
  | 'IncompleteListError'
  | 'ArgumentError'
  | 'ConfigError'
  | 'BatchStoppedError';

/**
 * Base of every error of the client. `isCarillonError` recognizes them. An abort by the caller is not one of them: it
 * rethrows `signal.reason`. Only `toArray` of a list that was aborted after items were received rejects with an
 * `IncompleteListError`, whose `cause` is the reason.
 */
export abstract class CarillonError extends Error {
  /** Name of the class: a literal, so that a `switch` over it narrows. */
  abstract override readonly name: ErrorName;
  /** `operationId` of the operation that was called. `undefined` if the error does not come from a call. */
  declare readonly operationId: string | undefined;
  /** HTTP method of the call, such as `GET`. */
  declare readonly method: string | undefined;
  /** Path template of the call, such as `/deals/{dealId}`. */
  declare readonly path: string | undefined;
  /** Number of requests that the call sent. */
  declare readonly tries: number | undefined;
  /** Whether the call may have been processed, over all its tries. */
  declare readonly sent: Sent | undefined;
  /** Number of the call, as hooks and traces have it. */
  declare readonly callId: number | undefined;
  /**
   * The requested address without its query; `undefined` if the call failed before its first try. Not enumerable: a path can hold
   * personal data, such as an email address.
   */
  declare readonly url: string | undefined;

  /**
   * @param message - what happened and what to do, without credentials and bodies
   * @param options - `cause`: the error that led to it
   */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    hide(this, brand, true);
  }
}

/** Defines a property that neither `console.log`, `JSON.stringify` nor a spread shows. */
export function hide(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true });
}
