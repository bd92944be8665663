import type { Sent } from '../../../shared/call-types.ts';
import { CarillonError, hide } from './base.ts';

/**
 * There was no response, or the response is incomplete. The connection was refused, reset or lost, or an attempt took longer than
 * `attemptTimeout`.
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
  /** Whether any attempt may have been processed: `no` or `maybe`. */
  declare readonly sent: Sent;

  /**
   * @param message - what happened
   * @param sent - whether the request may have been processed
   * @param options - `cause`: the underlying error
   */
  constructor(message: string, sent: Sent, options?: ErrorOptions) {
    super(message, options);
    this.sent = sent;
  }
}

/** The call took longer than its `timeout`, which covers the token, every attempt, every wait and the body. */
export class DeadlineError extends CarillonError {
  /** Always `DeadlineError`. */
  override readonly name = 'DeadlineError';
  /** Whether the call may have been processed: `no`, `maybe`, or `yes` if only the rest of a response was missing. */
  declare readonly sent: Sent;

  /**
   * @param message - what happened
   * @param sent - whether the request may have been processed
   * @param options - `cause`: the underlying error
   */
  constructor(message: string, sent: Sent, options?: ErrorOptions) {
    super(message, options);
    this.sent = sent;
  }
}

/**
 * Could not obtain an access token from the token endpoint or from `getToken`. The call is not retried. Source: CRM document,
 * section 5.
 */
export class TokenError extends CarillonError {
  /** Always `TokenError`. */
  override readonly name = 'TokenError';
  /** `no`, or `maybe` if the token was needed for a retry. */
  override readonly sent: Sent = 'no';
  /** HTTP status that the token endpoint returned, if it responded. */
  declare readonly status: number | undefined;

  /**
   * @param message - what happened, without the secret
   * @param status - HTTP status that the token endpoint returned, if it responded
   * @param options - `cause`: the underlying error
   */
  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/**
 * The response has a success status, but its body is not JSON, lacks the documented payload or `result: true`, or does not match
 * the spec (only with a validator that throws). Also thrown for a redirect, and for a response whose stated length is above
 * `maxResponseBytes`.
 */
export class ResponseError extends CarillonError {
  /** Always `ResponseError`. */
  override readonly name = 'ResponseError';
  /**
   * `maybe` for an undocumented body or a redirect, because another server may have responded. Also `maybe` if an earlier attempt
   * may have been processed. Otherwise `yes`.
   */
  override readonly sent: Sent = 'yes';
  /** HTTP status of the response. */
  declare readonly status: number;
  /** `operationId` of the operation that was called. */
  declare readonly operationId: string;
  /** Body as a string; empty if the body is too long. Not enumerable, because it can contain personal data. */
  declare readonly body: string;

  /**
   * @param message - what happened, without credentials
   * @param details - HTTP status and body of the response
   * @param options - `cause`: the underlying error
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
 * An argument of a call is invalid: a value that JSON cannot represent, such as `NaN`, an invalid `Date` or a `Blob`; a missing
 * or unsafe path value; or an unknown option. The request was not sent. The message names the location
 * (`emails[1].email is a Blob`) and never contains a value.
 */
export class ArgumentError extends CarillonError {
  /** Always `ArgumentError`. */
  override readonly name = 'ArgumentError';
  /** Always `no`. */
  override readonly sent = 'no' as const;
  /**
   * Path of the invalid value, such as `emails[1].email`, or `body.emails[1].email` in a call by path. `undefined` if the call
   * itself is invalid, for example because an option is unknown.
   */
  declare readonly parameter: string | undefined;

  /**
   * @param message - what is wrong and where, without values
   * @param options - `parameter`: path of the value; `cause`: the underlying error
   */
  constructor(message: string, { parameter, ...options }: ErrorOptions & { parameter?: string } = {}) {
    super(message, options);
    this.parameter = parameter;
  }
}

/** An option of the client or of a call is invalid. The message states the permitted values. The request was not sent. */
export class ConfigError extends CarillonError {
  /** Always `ConfigError`. */
  override readonly name = 'ConfigError';
}

/** Details of an incomplete list. */
export interface IncompleteListDetails {
  /** The items received. */
  items: unknown[];
  /** Offset of the first item that is missing from `items`. */
  nextOffset: number;
}

/**
 * `toArray` could not return the whole list. The error contains the items received so far and the offset at which to resume.
 * Possible reasons:
 *
 * - A page after the first failed. The failure is the `cause`.
 * - The list was aborted after items were received. The `cause` is `signal.reason`.
 * - `complete: true` is set, and the list ended below its total, repeated an item, has more than `max` items, or has no total
 *   and was not paged because `limit` is not set. There is no `cause`.
 *
 * @example
 * ```ts
 * import { createClient, isCarillonError } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * try {
 *   console.log(await api.crm.contacts.list().toArray({ max: 10_000, complete: true }));
 * } catch (error) {
 *   if (!isCarillonError(error, 'IncompleteListError')) throw error;
 *   console.log(error.message, error.items.length);
 *   const rest = await api.crm.contacts.list({ offset: error.nextOffset }).toArray({ max: 10_000 });
 *   console.log(rest.length);
 * }
 * ```
 */
export class IncompleteListError extends CarillonError {
  /** Always `IncompleteListError`. */
  override readonly name = 'IncompleteListError';
  /** `operationId` of the list operation. */
  declare readonly operationId: string;
  /**
   * Offset after the items received. To resume, pass it as `offset` to a list with the same parameters. If the list repeats
   * items, start again instead.
   */
  declare readonly nextOffset: number;
  /** The items received, in order. Not enumerable, because they can contain personal data. */
  declare readonly items: unknown[];

  /**
   * @param message - what is missing
   * @param details - the items received, and the offset at which to resume
   * @param options - `cause`: the failure of the next page, or the abort reason
   */
  constructor(message: string, { items, ...shown }: IncompleteListDetails, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, shown);
    hide(this, 'items', items);
  }
}
