import { isCarillonError } from '../core/errors/is-carillon-error.ts';

/** A step may have been done, and nothing tells whether it was. A later run looks it up before it sends anything. */
export class OutcomeUnknownError extends Error {
  /** Always `OutcomeUnknownError`. */
  override readonly name = 'OutcomeUnknownError';
}

/** Whether an error proves that a request changed nothing: it never left, or its only try was refused. */
export function provesNothingDone(error: unknown): boolean {
  if (!isCarillonError(error)) return false;
  return error.sent === 'no' || (error.sent === 'yes' && isRefusal(error));
}

/**
 * Whether an error concerns one row, so that the next rows can go on: its values were refused, or its outcome is not known.
 * Without a connection, a valid key or quota, every row would fail alike.
 *
 * @param error - what `once` rejected with
 * @returns `false` for an error that should end the run
 */
export function concernsRow(error: unknown): boolean {
  return error instanceof OutcomeUnknownError || isRefusal(error, [401, 403, 429]);
}

function isRefusal(error: unknown, others: number[] = []): boolean {
  return isCarillonError(error, 'ApiError') && error.status < 500 && ![408, ...others].includes(error.status);
}
