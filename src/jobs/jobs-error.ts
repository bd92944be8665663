/** A job cannot be planned, changed or worked on. The message says what to do. */
export class JobsError extends Error {
  /** Always `JobsError`. */
  override readonly name = 'JobsError';
}
