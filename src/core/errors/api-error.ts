import { CarillonError, type ErrorName, hide, named } from './base.ts';

/** What an answer says, as an error keeps it. */
export interface ApiErrorDetails {
  status: number;
  operationId: string;
  body: unknown;
  headers: Headers;
  code?: string | undefined;
}

/**
 * The service answered, and the answer is a failure: an HTTP status outside 2xx, `result: false`, or a documented error
 * body under any status.
 */
export class ApiError extends CarillonError {
  // A wider literal than the class's own, so that each sub-class narrows it to its own name.
  override readonly name: ErrorName = 'ApiError';
  /** HTTP status as it came, also where a failure came under a 2xx. */
  readonly status: number;
  /** The documented code of the failure, as text (`'3093'`), where the answer holds one. */
  readonly code: string | undefined;
  /** `operationId` of the operation that was called. */
  readonly operationId: string;
  /** The service answered, so it has seen the request. */
  readonly sent = 'yes' as const;
  /** Body of the answer: parsed JSON, or text. Not enumerable: it can hold personal data. */
  declare readonly body: unknown;
  /** Headers of the answer. Not enumerable. */
  declare readonly headers: Headers;

  constructor(message: string, details: ApiErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.status = details.status;
    this.code = details.code;
    this.operationId = details.operationId;
    hide(this, 'body', details.body);
    hide(this, 'headers', details.headers);
  }
}

/** 401: the credential is missing, expired or not valid (an assumption: the documents do not show this answer). */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the credential does not permit this. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}

/** 404: there is no such record. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 422: the service refused what was sent. */
export class UnprocessableEntityError extends ApiError {
  override readonly name = 'UnprocessableEntityError';
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

const byStatus = new Map<number, typeof ApiError>([
  [401, AuthenticationError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [422, UnprocessableEntityError],
  [429, RateLimitError],
]);

/** The class of an error by its HTTP status. */
export function apiErrorClass(status: number): typeof ApiError {
  return byStatus.get(status) ?? (status >= 500 ? ServerError : ApiError);
}

/** Whether a value is an {@link ApiError} or one of its sub-classes. */
export const isApiError = /* @__PURE__ */ named<ApiError>(
  'ApiError',
  'AuthenticationError',
  'PermissionDeniedError',
  'NotFoundError',
  'UnprocessableEntityError',
  'RateLimitError',
  'ServerError',
);
/** Whether a value is an {@link AuthenticationError}. */
export const isAuthenticationError = /* @__PURE__ */ named<AuthenticationError>('AuthenticationError');
/** Whether a value is a {@link PermissionDeniedError}. */
export const isPermissionDeniedError = /* @__PURE__ */ named<PermissionDeniedError>('PermissionDeniedError');
/** Whether a value is a {@link NotFoundError}. */
export const isNotFoundError = /* @__PURE__ */ named<NotFoundError>('NotFoundError');
/** Whether a value is an {@link UnprocessableEntityError}. */
export const isUnprocessableEntityError = /* @__PURE__ */ named<UnprocessableEntityError>('UnprocessableEntityError');
/** Whether a value is a {@link RateLimitError}. */
export const isRateLimitError = /* @__PURE__ */ named<RateLimitError>('RateLimitError');
/** Whether a value is a {@link ServerError}. */
export const isServerError = /* @__PURE__ */ named<ServerError>('ServerError');
