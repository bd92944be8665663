import { CarillonError, hide, type Sent } from './base.ts';

/**
 * No response: the connection was refused, reset or lost, or a try took longer than `attemptTimeout`.
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
 *   console.log(error.sent === 'no' ? 'safe to repeat' : 'check whether the deal exists');
 * }
 * ```
 */
export class ConnectionError extends CarillonError {
  /** Always `ConnectionError`. */
  override readonly name = 'ConnectionError';
  /** Whether the call may have been processed, over all its tries: `no` or `maybe`. */
  declare readonly sent: Sent;

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
  declare readonly sent: Sent;

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
 * Could not obtain an access token from the token endpoint or from `getToken`. The call ends, even if it would have been
 * retried. Source: CRM document, section 5.
 */
export class TokenError extends CarillonError {
  /** Always `TokenError`. */
  override readonly name = 'TokenError';
  /** Whether the call may have been processed: `no`, or `maybe` if the token was needed for another try. */
  override readonly sent: Sent = 'no';
  /** HTTP status of the token endpoint, if it answered. */
  declare readonly status: number | undefined;

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
 * The service reported success, but the body is not JSON, does not match the spec (only with a validator that throws), or is
 * longer than `maxReplyBytes`; or the response is a redirect.
 */
export class ResponseError extends CarillonError {
  /** Always `ResponseError`. */
  override readonly name = 'ResponseError';
  /** `yes`: the service answered. `maybe` if an earlier try may have been processed, too. */
  override readonly sent: Sent = 'yes';
  /** HTTP status of the response. */
  declare readonly status: number;
  /** `operationId` of the operation that was called. */
  declare readonly operationId: string;
  /** The body as text, empty if it is too long. Not enumerable: it can contain personal data. */
  declare readonly body: string;

  /**
   * @param message - what happened, without credentials
   * @param details - the parts of the response: HTTP status, and the body as text
   * @param options - `cause`: the error that led to it
   */
  constructor(
    message: string,
    details: { status: number; operationId?: string; body: string },
    options?: ErrorOptions,
  ) {
    super(message, options);
    const { body, ...shown } = details;
    Object.assign(this, shown);
    hide(this, 'body', body);
  }
}

/**
 * An argument of a call cannot be sent: a value that JSON cannot hold, such as `NaN`, an invalid `Date` or a `Blob`; a path value
 * that is missing or not safe; or an option that does not exist. Nothing was sent. The message names the place
 * (`emails[1].email is a Blob`) and never contains a value.
 */
export class ArgumentError extends CarillonError {
  /** Always `ArgumentError`. */
  override readonly name = 'ArgumentError';
  /** Nothing was sent. */
  override readonly sent = 'no' as const;
  /**
   * Where the value is that cannot be sent, such as `emails[1].email`; in a call by path, such as `body.emails[1].email`. `undefined`
   * if the call itself is wrong, whatever its values are, as with an option that does not exist.
   */
  declare readonly parameter: string | undefined;

  /**
   * @param message - what is wrong and where, without values
   * @param options - `parameter`: the place of the value; `cause`: the error that led to it
   */
  constructor(message: string, { parameter, ...options }: ErrorOptions & { parameter?: string } = {}) {
    super(message, options);
    this.parameter = parameter;
  }
}

/** An option of the client or of a call is not valid. The message says what it should be. Nothing was sent. */
export class ConfigError extends CarillonError {
  /** Always `ConfigError`. */
  override readonly name = 'ConfigError';
}
