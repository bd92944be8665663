import type { Sent } from '../../../shared/call-types.ts';
import { describeError } from '../cause.ts';

/** Key of the method that Node's `console.log` calls. */
export const inspect = Symbol.for('nodejs.util.inspect.custom');

/** Marks every error of the client. All copies of the package share this symbol. */
export const brand = Symbol.for('carillon.error');

/** Details of the failed call that an error contains. */
export interface CallDetails {
  /** `operationId` of the operation. */
  operationId: string;
  /** HTTP method, such as `GET`. */
  method: string;
  /** Path template, such as `/deals/{dealId}`. */
  path: string;
  /** Number of times that `fetch` was called; 0 if the call failed before the first attempt. */
  attempts: number;
  /** Whether any attempt may have been processed. */
  sent: Sent;
  /** Number of the call, the same as in hooks. */
  callId: number;
  /** Requested URL without its query. `undefined` if the call failed before its first attempt. */
  url: string | undefined;
}

/** The names of all errors that the client throws. */
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
  | 'ConfigError';

/**
 * Base class of all errors of the client. `isCarillonError` recognizes these errors. If the caller aborts a call, the call
 * rejects with `signal.reason` instead. The exception is `toArray`: if a list is aborted after items were received, `toArray`
 * rejects with an `IncompleteListError`, and the reason is the `cause` of that error.
 */
export abstract class CarillonError extends Error {
  /** Name of the class, as a literal type, so that a `switch` narrows the error. */
  abstract override readonly name: ErrorName;
  /** `operationId` of the operation that was called. `undefined` if the error does not come from a call. */
  declare readonly operationId: string | undefined;
  /** HTTP method of the call, such as `GET`. */
  declare readonly method: string | undefined;
  /** Path template of the call, such as `/deals/{dealId}`. */
  declare readonly path: string | undefined;
  /** Number of times that the call invoked `fetch`. */
  declare readonly attempts: number | undefined;
  /** Whether any attempt of the call may have been processed. */
  declare readonly sent: Sent | undefined;
  /** Number of the call, the same as in hooks. */
  declare readonly callId: number | undefined;
  /**
   * Requested URL without its query. `undefined` if the call failed before its first attempt. Not enumerable, because a path can
   * contain personal data, such as an email address.
   */
  declare readonly url: string | undefined;

  /**
   * @param message - what happened and what to do, without credentials
   * @param options - `cause`: the underlying error
   */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    hide(this, brand, true);
  }

  /**
   * Plain data for logs and for other threads: name, message, the details of the call, and the cause as a string.
   * `JSON.stringify` calls this method. Like `console.log`, it omits properties that can contain personal data, such as `body`
   * and `url`. `structuredClone` and `postMessage` keep only `message`, `stack` and `cause` of an error. To pass an error to
   * another thread, send this data instead.
   *
   * @returns a new object of enumerable properties
   * @example
   * ```ts
   * import { createClient, isCarillonError } from 'carillon';
   *
   * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
   * try {
   *   await api.crm.deals.get({ dealId: 501 });
   * } catch (error) {
   *   if (isCarillonError(error)) console.log(JSON.stringify({ level: 'error', error }));
   * }
   * ```
   */
  toJSON(): Record<string, unknown> {
    const { message, cause } = this;
    const reason = cause === undefined ? undefined : describeError(cause);
    const shown = Object.entries({ ...this, message, cause: reason && `${reason.name}: ${reason.message}` });
    return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
  }
}

/** Defines a property that `console.log`, `JSON.stringify` and spreads omit. */
export function hide(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true });
}

/**
 * Makes the stack trace of an error begin at the current line, or at the caller of a function, if the engine supports it. The
 * trace also contains the async callers that await the current function.
 *
 * @param called - function whose caller comes first, if the function is on the stack
 */
export function retrace(error: Error, called?: (...args: never) => unknown): void {
  if (typeof Error.captureStackTrace !== 'function') return;
  const { stack } = error;
  Error.captureStackTrace(error, called);
  // Keep the original trace if the function is not on the stack.
  if (!error.stack?.includes('\n')) Object.defineProperty(error, 'stack', { value: stack });
}
