import { isCarillonError } from 'carillon';
import { isBadValue, provesNothingDone } from 'carillon/journal';
import { RowRefusedError } from '../jobs-error.ts';
import type { Attempt } from './attempt.ts';

/** What an error of `send` means for its row. */
export type Verdict =
  /** The service or the source refused the row, and nothing was done. */
  | { kind: 'refused'; reason: string; code?: string | undefined }
  /** It may have been processed. */
  | { kind: 'lost'; reason: string }
  /** Nothing was done, and the row can be sent later, after some milliseconds if they are known. `all`: other rows would fail in the same way now. */
  | { kind: 'later'; wait?: number | undefined; all: boolean }
  /** Too many requests: nothing was done, and the account waits. */
  | { kind: 'wait'; milliseconds: number }
  /** Every row would be refused, until a person changes something. */
  | { kind: 'stop'; reason: string }
  /** The program itself failed before a request left. */
  | { kind: 'own'; reason: string };

/** Milliseconds that an account waits after a 429 that does not say how long. */
const defaultWait = 5_000;

/** Decides by the one request that wrote, and by what the error proves about it. */
export function judge(
  error: unknown,
  attempt: Pick<Attempt, 'writeOperation' | 'heldBack' | 'isOver'>,
  concernsAll: (operationId: string, code: string) => boolean = () => false,
): Verdict {
  const reason = reasonOf(error);
  if (attempt.writeOperation !== undefined) {
    // Another request of the step failed: this says nothing about the one that wrote.
    const isItsError = isCarillonError(error) && error.operationId === attempt.writeOperation;
    if (!isItsError || !provesNothingDone(error)) return { kind: 'lost', reason };
  } else if (attempt.heldBack) {
    return { kind: 'later', wait: attempt.heldBack.wait, all: false };
  }
  if (isRefusedRow(error)) return { kind: 'refused', reason };
  if (!isCarillonError(error)) {
    // Nothing left before the deadline: the source of the delay is this machine, or the database.
    return attempt.isOver ? { kind: 'later', all: false } : { kind: 'own', reason: stackOf(error) };
  }
  if (isCarillonError(error, 'RateLimitError')) return { kind: 'wait', milliseconds: error.retryAfter ?? defaultWait };
  if (isCarillonError(error, 'AuthenticationError') || isCarillonError(error, 'PermissionDeniedError')) {
    return { kind: 'stop', reason };
  }
  const isRefusal = isCarillonError(error, 'ApiError') && error.status < 500 && error.status !== 408;
  if (isRefusal) {
    const { code, operationId } = error;
    if (code !== undefined && operationId !== undefined && concernsAll(operationId, code))
      return { kind: 'stop', reason };
    return { kind: 'refused', reason: error.serviceMessage ?? reason, code };
  }
  if (isBadValue(error)) return { kind: 'refused', reason };
  // The call itself is wrong, as with an option that does not exist.
  if (isCarillonError(error, 'ArgumentError')) return { kind: 'own', reason: stackOf(error) };
  return { kind: 'later', all: true };
}

/** Whether an error of `send` or `find` says that the row is refused. */
function isRefusedRow(error: unknown): boolean {
  return error instanceof RowRefusedError || (error instanceof Error && error.name === 'RowRefusedError');
}

/** Whether the service failed at this request, and does not say that it is down. */
export function isOwnFailure(error: unknown): boolean {
  return isCarillonError(error, 'ApiError') && error.status >= 500 && ![502, 503, 504].includes(error.status);
}

/** Whether a lookup that failed can succeed later. */
export function canLookUpLater(error: unknown): boolean {
  if (!isCarillonError(error) || isCarillonError(error, 'ArgumentError')) return false;
  return !isCarillonError(error, 'ApiError') || error.status >= 500 || [401, 403, 408, 429].includes(error.status);
}

/** One line of at most 300 characters. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** Where an error of the program comes from: its stack without what the engine added. */
export function stackOf(error: unknown): string {
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2_000);
}
