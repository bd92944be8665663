import type { Sent } from '../../../shared/call-types.ts';
import { parseRetryAfter, responseTime } from '../retry.ts';
import { CarillonError, type ErrorName, hide } from './base.ts';

/** Parts of a response that an error contains. */
export interface ApiErrorDetails {
  /** HTTP status of the response. */
  status: number;
  /** `operationId` of the operation that was called. The client adds the ID, the method, the path and the number of attempts. */
  operationId?: string;
  /** Body of the response: parsed JSON, or a string. */
  body: unknown;
  /** Headers of the response. */
  headers: Headers;
  /** Documented error code, as a string. */
  code?: string | undefined;
  /** Message from the service, without credentials. */
  serviceMessage?: string | undefined;
}

/**
 * The service reported a failure: an HTTP status outside 2xx (except 407, which `fetch` reports as a lost connection),
 * `result: false`, or a documented error body with any status. The content of error bodies is documented only for creating
 * messaging campaigns. Source: messaging document, section 7.
 *
 * @example
 * ```ts
 * import { createClient, isCarillonError } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * try {
 *   await api.crm.deals.get({ dealId: 501 });
 * } catch (error) {
 *   if (!isCarillonError(error, 'ApiError')) throw error;
 *   console.log(error.status, error.code, error.headers.get('date'));
 * }
 * ```
 */
export class ApiError extends CarillonError {
  // Wider than the literal, so that each subclass can narrow the type to its own name.
  /** `ApiError`, or the name of the subclass. */
  override readonly name: ErrorName = 'ApiError';
  /** HTTP status of the response, which can be 2xx. */
  declare readonly status: number;
  /** Documented error code, as a string (`'3093'`), if the response contains one. */
  declare readonly code: string | undefined;
  /**
   * Message from the service, for user interfaces: one line of at most 300 characters, without credentials. `undefined` if the
   * response does not contain one.
   */
  declare readonly serviceMessage: string | undefined;
  /** `operationId` of the operation that was called. */
  declare readonly operationId: string;
  /** `yes`, because the service responded, or `maybe` if an earlier attempt may also have been processed. */
  override readonly sent: Sent = 'yes';
  /** Body of the response: parsed JSON, or a string. Not enumerable: it can contain personal data. */
  declare readonly body: unknown;
  /** Headers of the response. Not enumerable. */
  declare readonly headers: Headers;

  /**
   * @param message - what happened, without credentials
   * @param details - parts of the response
   * @param options - `cause`: the underlying error
   */
  constructor(message: string, details: ApiErrorDetails, options?: ErrorOptions) {
    super(message, options);
    const { body, headers, ...shown } = details;
    Object.assign(this, shown);
    hide(this, 'body', body);
    hide(this, 'headers', headers);
  }
}

/**
 * 401: the credential is missing, expired or invalid. This is an assumption, because the response is not documented. Before the
 * client reports this error, it replaces an access token and repeats the call once, unless `replayCreates: false` forbids this.
 * A second 401 is final. With an API key, the first 401 is final. Source: CRM document, section 5.
 */
export class AuthenticationError extends ApiError {
  /** Always `AuthenticationError`. */
  override readonly name = 'AuthenticationError';
}

/** 403: the credential does not permit this operation. */
export class PermissionDeniedError extends ApiError {
  /** Always `PermissionDeniedError`. */
  override readonly name = 'PermissionDeniedError';
}

/** 404: the record does not exist. Source: CRM document, section 7. */
export class NotFoundError extends ApiError {
  /** Always `NotFoundError`. */
  override readonly name = 'NotFoundError';
}

/** 422: the service rejected the request. Source: CRM document, section 7. */
export class UnprocessableEntityError extends ApiError {
  /** Always `UnprocessableEntityError`. */
  override readonly name = 'UnprocessableEntityError';
}

/** 429: too many requests. Before the client reports this error, it retries the call after the time given in `Retry-After`. */
export class RateLimitError extends ApiError {
  /** Always `RateLimitError`. */
  override readonly name = 'RateLimitError';
  /**
   * Milliseconds to wait before the next call, from `Retry-After`, or `undefined` if the response does not have that header. If
   * the header contains a date, the time is relative to the `Date` of the response.
   */
  readonly retryAfter: number | undefined = parseRetryAfter(
    this.headers.get('retry-after'),
    responseTime(this.headers) ?? Date.now(),
  );
}

/** 5xx: the service failed, and may or may not have processed the request. */
export class ServerError extends ApiError {
  /** Always `ServerError`. */
  override readonly name = 'ServerError';
}

const byStatus: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

/**
 * Returns the error class for an HTTP status.
 *
 * @param status - HTTP status of a failure
 * @returns the subclass for the status, or `ApiError` itself
 * @example
 * ```ts
 * import { apiErrorClass, NotFoundError } from 'carillon';
 *
 * console.log(apiErrorClass(404) === NotFoundError); // true
 * ```
 */
export function apiErrorClass(status: number): typeof ApiError {
  return byStatus[status] ?? (status >= 500 ? ServerError : ApiError);
}
