import { parseRetryAfter, replyTime } from '../retry.ts';
import { CarillonError, type ErrorName, hide, type Sent } from './base.ts';

/** The parts of a response that an error has. */
export interface ApiErrorDetails {
  /** HTTP status of the response. */
  status: number;
  /** `operationId` of the operation that was called. The client adds it, with the method, the path and the tries. */
  operationId?: string;
  /** Body of the response: parsed JSON, or text. */
  body: unknown;
  /** Headers of the response. */
  headers: Headers;
  /** The documented code of the failure, as text. */
  code?: string | undefined;
  /** The service's own message, without credentials. */
  serviceMessage?: string | undefined;
}

/**
 * The service reported a failure: an HTTP status outside 2xx, `result: false`, or a documented error
 * body under any status. The content of error bodies is documented for the creation of messaging campaigns only. Source:
 * messaging document, section 7.
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
  // A wider literal than the class's own, so that each sub-class narrows it to its own name.
  /** `ApiError`, or the name of the sub-class. */
  override readonly name: ErrorName = 'ApiError';
  /** HTTP status of the response, also if the failure came with a 2xx. */
  declare readonly status: number;
  /** The documented code of the failure, as text (`'3093'`), if the response contains one. */
  declare readonly code: string | undefined;
  /**
   * The service's own message, for user interfaces: one line without credentials, at most 300 characters. `undefined` if the
   * reply has none.
   */
  declare readonly serviceMessage: string | undefined;
  /** `operationId` of the operation that was called. */
  declare readonly operationId: string;
  /** `yes`: the service answered. `maybe` if an earlier try may have been processed, too. */
  override readonly sent: Sent = 'yes';
  /** Body of the response: parsed JSON, or text. Not enumerable: it can contain personal data. */
  declare readonly body: unknown;
  /** Headers of the response. Not enumerable. */
  declare readonly headers: Headers;

  /**
   * @param message - what happened, without credentials
   * @param details - the parts of the response
   * @param options - `cause`: the error that led to it
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
 * 401: the credential is missing, expired or not valid. This is an assumption, because the response is not documented. Before
 * the client throws it, it renews an access token and repeats the call once. Source: CRM document, section 5.
 */
export class AuthenticationError extends ApiError {
  /** Always `AuthenticationError`. */
  override readonly name = 'AuthenticationError';
}

/** 403: the credential does not permit this. */
export class PermissionDeniedError extends ApiError {
  /** Always `PermissionDeniedError`. */
  override readonly name = 'PermissionDeniedError';
}

/** 404: there is no such record. Source: CRM document, section 7. */
export class NotFoundError extends ApiError {
  /** Always `NotFoundError`. */
  override readonly name = 'NotFoundError';
}

/** 422: the service refused the request. Source: CRM document, section 7. */
export class UnprocessableEntityError extends ApiError {
  /** Always `UnprocessableEntityError`. */
  override readonly name = 'UnprocessableEntityError';
}

/** 429: too many requests. The client waits as `Retry-After` says and retries before it throws this. */
export class RateLimitError extends ApiError {
  /** Always `RateLimitError`. */
  override readonly name = 'RateLimitError';
  /**
   * Milliseconds to wait before the next call, as `Retry-After` says; `undefined` if it says nothing. A date counts from the
   * `Date` of the reply.
   */
  readonly retryAfter: number | undefined = parseRetryAfter(
    this.headers.get('retry-after'),
    replyTime(this.headers) ?? Date.now(),
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
 * The class of an error by its HTTP status.
 *
 * @param status - HTTP status of a failure
 * @returns the sub-class for the status, or `ApiError` itself
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
