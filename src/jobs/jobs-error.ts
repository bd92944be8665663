/** A job cannot be planned, changed or worked on. The message says what to do. */
export class JobsError extends Error {
  /** Always `JobsError`. */
  override readonly name = 'JobsError';
}

/**
 * Throw it in `send`, before the request that writes, to refuse the row. Its message is the reason in the list of problems. Any other
 * error of the program is taken for a mistake in it: the row stays planned, and the job pauses after several.
 *
 * @example
 * ```ts
 * import { RowRefusedError } from 'carillon-jobs';
 *
 * const check = (email: string): void => {
 *   if (email.endsWith('.invalid')) throw new RowRefusedError(`${email} cannot receive email`);
 * };
 * console.log(check.name);
 * ```
 */
export class RowRefusedError extends Error {
  /** Always `RowRefusedError`. */
  override readonly name = 'RowRefusedError';
}
