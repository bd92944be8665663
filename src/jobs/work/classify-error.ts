import { isCarillonError } from 'carillon';
import { isBadValue, isCertainlyNotDone, isNamed } from '../outcome.ts';
import type { Attempt } from './attempt.ts';

/** Verdict on an error in `send`: what happens to the row. */
export type Verdict =
  /** The service or the program rejected the row, and the step was not done. */
  | { kind: 'rejected'; reason: string; code?: string | undefined }
  /** The request may have been processed. */
  | { kind: 'lost'; reason: string }
  /**
   * The step was not done, and the row can be sent later, after `wait` milliseconds if known. `all` means that other rows would
   * currently fail in the same way.
   */
  | { kind: 'later'; wait?: number | undefined; all: boolean }
  /** The service received too many requests. The step was not done, and the account waits. */
  | { kind: 'wait'; milliseconds: number }
  /** The service would reject every row until a person intervenes. */
  | { kind: 'stop'; reason: string }
  /** The program itself failed before a request was sent. */
  | { kind: 'own' };

/** Milliseconds that an account waits after a 429 without `Retry-After`. */
const defaultWait = 5_000;

/** Classifies an error by whether a request that writes was sent, and by what the error says about this request. */
export function classifyError(
  error: unknown,
  attempt: Pick<Attempt, 'writeOperation' | 'heldBack' | 'isOver'>,
  concernsAll: (operationId: string, code: string) => boolean = () => false,
): Verdict {
  const reason = reasonOf(error);
  if (isNamed(error, 'OutcomeUnknownError')) return { kind: 'lost', reason };
  if (attempt.writeOperation !== undefined) {
    // The error in another request of the step says nothing about the request that wrote.
    const isItsError = isCarillonError(error) && error.operationId === attempt.writeOperation;
    if (!isItsError || !isCertainlyNotDone(error) || isBareFailure(error)) return { kind: 'lost', reason };
  } else if (attempt.heldBack) {
    return { kind: 'later', wait: attempt.heldBack.wait, all: false };
  }
  if (isNamed(error, 'RowRejectedError')) return { kind: 'rejected', reason };
  if (!isCarillonError(error)) {
    // If no request was sent before the deadline, this machine or the database caused the delay.
    return attempt.isOver ? { kind: 'later', all: false } : { kind: 'own' };
  }
  if (isCarillonError(error, 'RateLimitError')) return { kind: 'wait', milliseconds: error.retryAfter ?? defaultWait };
  if (isCarillonError(error, 'AuthenticationError') || isCarillonError(error, 'PermissionDeniedError')) {
    return { kind: 'stop', reason: stopReason(error) };
  }
  const isRejection = isCarillonError(error, 'ApiError') && error.status < 500 && error.status !== 408;
  if (isRejection) {
    const { code, operationId } = error;
    if (code !== undefined && operationId !== undefined && concernsAll(operationId, code))
      return { kind: 'stop', reason };
    return { kind: 'rejected', reason: error.serviceMessage ?? reason, code };
  }
  if (isBadValue(error)) return { kind: 'rejected', reason };
  // The call itself is invalid, for example because of an unknown option.
  if (isCarillonError(error, 'ArgumentError')) return { kind: 'own' };
  return { kind: 'later', all: true };
}

/**
 * Whether a response with a success status says that the request failed, but gives no reason. Such a response does not prove that the
 * step was not done.
 */
function isBareFailure(error: unknown): error is Error {
  if (!isCarillonError(error, 'ApiError')) return false;
  return error.status < 300 && error.code === undefined && error.serviceMessage === undefined;
}

/** Whether the service failed on this request, without a status that means that the service is down. */
export function isOwnFailure(error: unknown): boolean {
  return isCarillonError(error, 'ApiError') && error.status >= 500 && ![502, 503, 504].includes(error.status);
}

/** Whether a failed lookup can succeed later. */
export function canLookUpLater(error: unknown): boolean {
  if (!isCarillonError(error) || isCarillonError(error, 'ArgumentError')) return false;
  return !isCarillonError(error, 'ApiError') || error.status >= 500 || [401, 403, 408, 429].includes(error.status);
}

/** Converts a value that a user's program threw to an error with a message, because a program can throw any value. */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && typeof thrown.message === 'string') return thrown;
    return new Error(String(thrown));
  } catch {
    return new Error('The program threw a value that cannot be shown');
  }
}

/** Returns the message of an error, in one line of at most 300 characters. */
export function reasonOf(error: unknown): string {
  const text = isBareFailure(error)
    ? 'The service responded that the request failed, but gave no reason'
    : error instanceof Error
      ? error.message
      : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}

/**
 * Returns the message of an error that concerns all rows of a job, with advice.
 *
 * @param otherwise - advice if the service does not reject the key
 */
export function stopReason(error: unknown, otherwise?: string): string {
  const reason = reasonOf(error);
  const advice = isCarillonError(error, 'AuthenticationError')
    ? 'The service does not accept the key: check the key, start the workers with the correct key, and resume the job.'
    : isCarillonError(error, 'PermissionDeniedError')
      ? "The key does not permit this request: check the key's permissions in the service, and resume the job."
      : otherwise;
  return advice ? `${reason.replace(/\.$/, '')}. ${advice}` : reason;
}

/** Returns the stack of a program error, at most 2,000 characters. */
export function stackOf(error: unknown): string {
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2_000);
}
