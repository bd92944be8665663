/** A job cannot be planned, changed or processed. The message says what to do. */
export class JobsError extends Error {
  /** Always `JobsError`. */
  override readonly name = 'JobsError';
}

/**
 * Throw it in `send`, before the request that writes, to reject the row. Its message becomes the reason in the list of problems.
 * Other errors count as errors in the program. The row then stays planned, and the job pauses after several of them.
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
