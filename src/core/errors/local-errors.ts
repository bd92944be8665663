import { CarillonError, hide, named, type Sent } from './base.ts';

/** No answer came: the connection was refused, reset or lost. */
export class ConnectionError extends CarillonError {
  override readonly name = 'ConnectionError';
  /** Whether the request may have been processed. */
  readonly sent: Sent;

  constructor(message: string, sent: Sent, options?: ErrorOptions) {
    super(message, options);
    this.sent = sent;
  }
}

/** The deadline of the call passed: its `timeout` covers the token, every try, every wait and the body. */
export class DeadlineError extends CarillonError {
  override readonly name = 'DeadlineError';
  /** Whether the request may have been processed. */
  readonly sent: Sent;

  constructor(message: string, sent: Sent, options?: ErrorOptions) {
    super(message, options);
    this.sent = sent;
  }
}

/** No access token could be had, from the token endpoint or from `getToken`. The request itself was not sent. */
export class TokenError extends CarillonError {
  override readonly name = 'TokenError';
  readonly sent = 'no' as const;
  /** HTTP status of the token endpoint, where it answered. */
  readonly status: number | undefined;

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The service answered with success, and its body cannot be read as JSON, or it redirected. */
export class ResponseError extends CarillonError {
  override readonly name = 'ResponseError';
  readonly sent = 'yes' as const;
  readonly status: number;
  readonly operationId: string;
  /** The body as text. Not enumerable: it can hold personal data. */
  declare readonly body: string;

  constructor(message: string, details: { status: number; operationId: string; body: string }, options?: ErrorOptions) {
    super(message, options);
    this.status = details.status;
    this.operationId = details.operationId;
    hide(this, 'body', details.body);
  }
}

/** An argument of a call that cannot be sent safely: nothing was sent. */
export class ArgumentError extends CarillonError {
  override readonly name = 'ArgumentError';
  readonly sent = 'no' as const;
}

/** An option of the client that cannot work. */
export class ConfigError extends CarillonError {
  override readonly name = 'ConfigError';
}

/** Whether a value is a {@link ConnectionError}. */
export const isConnectionError = /* @__PURE__ */ named<ConnectionError>('ConnectionError');
/** Whether a value is a {@link DeadlineError}. */
export const isDeadlineError = /* @__PURE__ */ named<DeadlineError>('DeadlineError');
/** Whether a value is a {@link TokenError}. */
export const isTokenError = /* @__PURE__ */ named<TokenError>('TokenError');
/** Whether a value is a {@link ResponseError}. */
export const isResponseError = /* @__PURE__ */ named<ResponseError>('ResponseError');
/** Whether a value is an {@link ArgumentError}. */
export const isArgumentError = /* @__PURE__ */ named<ArgumentError>('ArgumentError');
/** Whether a value is a {@link ConfigError}. */
export const isConfigError = /* @__PURE__ */ named<ConfigError>('ConfigError');
