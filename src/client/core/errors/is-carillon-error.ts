import type {
  ApiError,
  AuthenticationError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from './api-error.ts';
import { brand, type CarillonError, type ErrorName } from './base.ts';
import type {
  ArgumentError,
  ConfigError,
  ConnectionError,
  DeadlineError,
  IncompleteListError,
  ResponseError,
  TokenError,
} from './local-errors.ts';

/** The class of each error by its name. */
export interface CarillonErrors extends Record<ErrorName, CarillonError> {
  /** The service reported a failure. Includes the subclasses of `ApiError`. */
  ApiError: ApiError;
  /** The response has status 401. */
  AuthenticationError: AuthenticationError;
  /** The response has status 403. */
  PermissionDeniedError: PermissionDeniedError;
  /** The response has status 404. */
  NotFoundError: NotFoundError;
  /** The response has status 422. */
  UnprocessableEntityError: UnprocessableEntityError;
  /** The response has status 429. */
  RateLimitError: RateLimitError;
  /** The response has status 500 or above. */
  ServerError: ServerError;
  /** There was no response. */
  ConnectionError: ConnectionError;
  /** The deadline of the call passed. */
  DeadlineError: DeadlineError;
  /** Could not obtain an access token. */
  TokenError: TokenError;
  /** The response cannot be read. */
  ResponseError: ResponseError;
  /** A list is incomplete. */
  IncompleteListError: IncompleteListError;
  /** An argument cannot be sent. */
  ArgumentError: ArgumentError;
  /** An option is invalid. */
  ConfigError: ConfigError;
}

type SubclassName = {
  [Name in ErrorName]: CarillonErrors[Name] extends ApiError ? Name : never;
}[Exclude<ErrorName, 'ApiError'>];

/**
 * Names of the subclasses, because `instanceof` does not recognize the classes of another copy of the package. The type requires
 * every name.
 */
const subclasses: Record<SubclassName, true> = {
  AuthenticationError: true,
  PermissionDeniedError: true,
  NotFoundError: true,
  UnprocessableEntityError: true,
  RateLimitError: true,
  ServerError: true,
};

/**
 * Whether a value is an error of this client. Unlike `instanceof`, it also recognizes errors of another copy of the package. It
 * does not recognize an error that `structuredClone` or `postMessage` copied, because the platform converts the copy to a plain
 * `Error` with only `message`, `stack` and `cause`. Send `error.toJSON()` to another thread instead.
 *
 * @param value - anything, such as a caught error
 * @returns `true` for any {@link CarillonError}. An aborted call rejects with the reason of the signal, which is not a
 * `CarillonError`. The exception is `toArray` of a list that has already received items (see {@link CarillonError}).
 * @example
 * ```ts
 * import { isCarillonError } from 'carillon';
 *
 * const describe = (error: unknown) => (isCarillonError(error) ? `${error.name}: ${error.message}` : String(error));
 * ```
 */
export function isCarillonError(value: unknown): value is CarillonError;
/**
 * Whether a value is an error with this name. Narrows the value to its class. Unlike `instanceof`, it also recognizes errors of
 * another copy of the package.
 *
 * @param value - anything, such as a caught error
 * @param name - name of the class. `ApiError` also matches its subclasses, such as `NotFoundError`.
 * @returns `true` if the value is an error of that class
 * @example
 * ```ts
 * import { createClient, isCarillonError } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * try {
 *   await api.crm.boards.create({ name: 'Tasks' });
 * } catch (error) {
 *   if (isCarillonError(error, 'RateLimitError')) console.log('Try again in', error.retryAfter, 'ms');
 *   else if (isCarillonError(error, 'ApiError')) console.log(error.status, error.code, error.message);
 *   else if (isCarillonError(error, 'ConnectionError')) console.log(error.sent === 'no' ? 'safe to repeat' : 'check first');
 *   else throw error;
 * }
 * ```
 */
export function isCarillonError<Name extends ErrorName>(value: unknown, name: Name): value is CarillonErrors[Name];
export function isCarillonError(value: unknown, name?: unknown): boolean {
  if (typeof value !== 'object' || value === null || Reflect.get(value, brand) !== true) return false;
  // `errors.filter(isCarillonError)` passes an index.
  if (typeof name !== 'string') return true;
  const own = String(Reflect.get(value, 'name'));
  return own === name || (name === 'ApiError' && Object.hasOwn(subclasses, own));
}
