const brand = Symbol.for('carillon.error');

/**
 * Whether a request may have been processed: `no` (it certainly never reached the service), `yes` (the service
 * answered) or `maybe` (it left, and no answer came). The service has no idempotency keys, so a caller who wants to
 * repeat a request that creates or sends something decides by this.
 */
export type Sent = 'no' | 'maybe' | 'yes';

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
  | 'ConfigError';

/**
 * Base of every error that the client makes; find one out with {@link isCarillonError}. An abort by the caller is not
 * one: it rethrows `signal.reason`.
 */
export abstract class CarillonError extends Error {
  /** Name of the class: a literal, so that a `switch` over it narrows. */
  abstract override readonly name: ErrorName;

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
  Object.defineProperty(target, key, { value, enumerable: false, configurable: true });
}

/**
 * Whether a value is an error of this client, also one made by another copy of the package.
 *
 * @param value - anything, such as what was caught
 * @example
 * ```ts
 * import { isCarillonError } from 'carillon';
 *
 * const report = (error: unknown) => (isCarillonError(error) ? `${error.name}: ${error.message}` : 'not ours');
 * ```
 */
export function isCarillonError(value: unknown): value is CarillonError {
  return typeof value === 'object' && value !== null && Reflect.get(value, brand) === true;
}

/** A guard for errors of the given names that works across copies of the package. */
export function named<E extends CarillonError>(...names: ErrorName[]): (value: unknown) => value is E {
  return (value): value is E => isCarillonError(value) && names.includes(value.name);
}
