import type { Sent, WithResponse } from '../../shared/call-types.ts';
import { type CallDetails, CarillonError, hide, retrace } from './errors/base.ts';

/** The known details of a call. */
export type KnownDetails = { readonly [Name in keyof CallDetails]?: CallDetails[Name] | undefined };

let lastCallId = 0;

/** State of one call from start to end. Derives from its attempts whether the call may have been processed. */
export class CallState implements KnownDetails {
  readonly callId: number = ++lastCallId;
  declare readonly operationId: string;
  declare readonly operation: string;
  attempts = 0;
  /** Progress of the current attempt. */
  current: Sent = 'no';
  error: unknown;
  /** Result of a successful method call, for `withResponse`. */
  result: WithResponse<unknown, unknown> | undefined;
  /** Whether an earlier attempt may have been processed. Stays `true` until the call succeeds. */
  #earlierMayBeProcessed = false;
  /** Whether any attempt had a response. If so, the client can only assume that the attempt was not processed. */
  #hasResponse = false;
  #mayBeLost = false;
  #url: string | undefined;
  #hasFailed = false;

  /** @param operation - method and path template */
  constructor(operationId: string, operation: string) {
    this.operationId = operationId;
    this.operation = operation;
  }

  get method(): string | undefined {
    return this.operation.split(' ')[0];
  }

  get path(): string | undefined {
    return this.operation.split(' ')[1];
  }

  /** Requested URL without its query, for errors. */
  get url(): string | undefined {
    return this.#url?.split('?')[0];
  }

  set url(address: string) {
    this.#url = address;
  }

  /** Whether the call has failed. Its `error` can be any value, even `undefined`. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Name of the call in messages. */
  get label(): string {
    return `${this.operation} (${this.operationId})`;
  }

  get sent(): Sent {
    const isUncertain = this.#hasResponse && this.current === 'no';
    return this.#earlierMayBeProcessed || isUncertain ? 'maybe' : this.current;
  }

  /** Records the response to the current attempt. */
  respond(): void {
    this.current = 'yes';
    this.#hasResponse = true;
  }

  /** Records that another server may have sent the response. */
  doubt(): void {
    this.current = 'maybe';
  }

  /** Whether an earlier attempt may have been processed without a response. */
  get mayBeLost(): boolean {
    return this.#mayBeLost;
  }

  /**
   * Ends an attempt that another attempt follows.
   *
   * @param mayBeProcessed - whether the service may have processed the attempt
   * @param mayBeLost - whether the service may have processed the attempt and its response was lost
   */
  next(mayBeProcessed: boolean, mayBeLost = false): void {
    this.#earlierMayBeProcessed ||= mayBeProcessed;
    this.#mayBeLost ||= mayBeLost;
    this.current = 'no';
  }

  /** Ends the call with a result. */
  succeed(): void {
    this.#earlierMayBeProcessed = false;
    this.current = 'yes';
  }

  /**
   * Ends the call with an error, which can be any value. Adds the details of the call to a `CarillonError` that has none yet.
   *
   * @param isAbort - whether the error is the reason of the caller's abort, which stays unchanged
   */
  fail(error: unknown, isAbort = false): void {
    this.error = error;
    this.#hasFailed = true;
    if (isAbort || !(error instanceof CarillonError) || error.attempts !== undefined) return;
    // A timer creates the error of a deadline, and no line of the program is then on the stack. For other errors, inner frames
    // use up the few frames that engines keep. The trace of an invalid argument or option already begins in the program.
    if (error.name !== 'ArgumentError' && error.name !== 'ConfigError') retrace(error, this.fail);
    identify(error, this);
  }
}

/** Adds the details of a call to an error. */
export function identify<Found extends CarillonError>(error: Found, call: KnownDetails): Found {
  const { operationId, method, path, attempts, sent, callId, url } = call;
  // A URL can contain a name or an email address.
  hide(error, 'url', url);
  return Object.assign(error, { operationId, method, path, attempts, sent, callId });
}
