/** A job cannot be planned, changed or processed. The message describes what to do. */
export class JobsError extends Error {
  /** Always `JobsError`. */
  override readonly name = 'JobsError';
}

/**
 * Rejects a row if `send` throws this error before the request that writes. The message becomes the reason in the list of problems.
 * Other errors count as errors in the program: the row stays planned, and the job pauses after several such errors.
 *
 * @example
 * ```ts
 * import { RowRejectedError } from 'carillon-jobs';
 *
 * const check = (email: string): void => {
 *   if (email.endsWith('.invalid')) throw new RowRejectedError(`${email} cannot receive email`);
 * };
 * console.log(check.name);
 * ```
 */
export class RowRejectedError extends Error {
  /** Always `RowRejectedError`. */
  override readonly name = 'RowRejectedError';
}
