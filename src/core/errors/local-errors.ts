import { CarillonError, hide, type Sent } from './base.ts';

/**
 * No reply came: the connection was refused, reset or lost, or a try took longer than `attemptTimeout`.
 *
 * @example
 * ```ts
 * import { createClient, isCarillonError } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * try {
 *   await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Annual plan renewal' });
 * } catch (error) {
 *   if (!isCarillonError(error, 'ConnectionError')) throw error;
 *   console.log(error.sent === 'no' ? 'safe to repeat' : 'look whether the deal is there');
 * }
 * ```
 */
export class ConnectionError extends CarillonError {
  /** Always `ConnectionError`. */
  override readonly name = 'ConnectionError';
  /** Whether the call may have been processed, over all its tries: `no` or `maybe`. */
  override readonly sent: Sent;

  /**
   * @param message - what happened
   * @param sent - whether the request may have been processed
   * @param options - `cause`: the error that led to it
   */
  constructor(message: string, sent: Sent, options?: ErrorOptions) {
    super(message, options);
    this.sent = sent;
  }
}

/** The deadline of the call passed: its `timeout` covers the token, every try, every wait and the body. */
export class DeadlineError extends CarillonError {
  /** Always `DeadlineError`. */
  override readonly name = 'DeadlineError';
  /** Whether the call may have been processed: `no`, `maybe`, or `yes` if only the body was missing. */
  override readonly sent: Sent;

  /**
   * @param message - what happened
   * @param sent - whether the request may have been processed
   * @param options - `cause`: the error that led to it
   */
  constructor(message: string, sent: Sent, options?: ErrorOptions) {
    super(message, options);
    this.sent = sent;
  }
}

/**
 * Could not obtain an access token from the token endpoint (Document 1 §5) or from `getToken`. The call ends there, also if
 * it was to be tried again.
 */
export class TokenError extends CarillonError {
  /** Always `TokenError`. */
  override readonly name = 'TokenError';
  /** Whether the call may have been processed: `no`, or `maybe` if the token was needed for another try. */
  override readonly sent: Sent = 'no';
  /** HTTP status of the token endpoint, if it answered. */
  readonly status: number | undefined;

  /**
   * @param message - what happened, without the secret
   * @param status - HTTP status of the token endpoint, if it answered
   * @param options - `cause`: the error that led to it
   */
  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/**
 * The service answered with success, and its body cannot be read as JSON or does not fit the spec (only with a validator
 * that throws), or it redirected.
 */
export class ResponseError extends CarillonError {
  /** Always `ResponseError`. */
  override readonly name = 'ResponseError';
  /** `yes`: the service answered. `maybe` if an earlier try may have been processed, too. */
  override readonly sent: Sent = 'yes';
  /** HTTP status as it came. */
  readonly status: number;
  /** `operationId` of the operation that was called. */
  override readonly operationId: string;
  /** The body as text. Not enumerable: it can hold personal data. */
  declare readonly body: string;

  /**
   * @param message - what happened, without credentials
   * @param details - what the answer said: HTTP status, `operationId`, and the body as text
   * @param options - `cause`: the error that led to it
   */
  constructor(message: string, details: { status: number; operationId: string; body: string }, options?: ErrorOptions) {
    super(message, options);
    this.status = details.status;
    this.operationId = details.operationId;
    hide(this, 'body', details.body);
  }
}

/**
 * An argument of a call that cannot be sent safely, such as a path value that is missing, `..` or of another type, or a
 * value that JSON cannot write: nothing was sent.
 */
export class ArgumentError extends CarillonError {
  /** Always `ArgumentError`. */
  override readonly name = 'ArgumentError';
  /** Nothing was sent. */
  override readonly sent = 'no' as const;
}

/** An option of the client or of a call that cannot work; the message says what it should be. Nothing was sent. */
export class ConfigError extends CarillonError {
  /** Always `ConfigError`. */
  override readonly name = 'ConfigError';
}
