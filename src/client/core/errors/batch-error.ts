import type { BatchOutcome } from '../batch-outcome.ts';
import { CarillonError, hide } from './base.ts';

/**
 * `runInBatches` was stopped by its signal or by a callback that threw. `cause` is the reason. `outcomes` contains every batch,
 * including those that were still running.
 *
 * @example
 * ```ts
 * import { createClient, isCarillonError, runInBatches } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * try {
 *   await runInBatches({
 *     items: ['msg-2026-0001', 'msg-2026-0002'],
 *     size: 1,
 *     run: (emails, { signal }) => api.email.messages.getMany({ emails }, { signal }),
 *     signal: AbortSignal.timeout(60_000),
 *   });
 * } catch (error) {
 *   if (!isCarillonError(error, 'BatchStoppedError')) throw error;
 *   for (const { index, status } of error.outcomes) console.log(index, status);
 *   console.log('Stopped by', error.cause);
 * }
 * ```
 */
export class BatchStoppedError<Item = unknown, Result = unknown> extends CarillonError {
  /** Always `BatchStoppedError`. */
  override readonly name = 'BatchStoppedError';
  /** The outcome of every batch, in order. Not enumerable, because items can contain personal data. */
  declare readonly outcomes: BatchOutcome<Item, Result>[];

  /**
   * @param outcomes - the outcome of every batch
   * @param options - `cause`: reason of the abort, or error of the callback
   */
  constructor(outcomes: BatchOutcome<Item, Result>[], options?: ErrorOptions) {
    const count = (status: string): string =>
      `${outcomes.filter((outcome) => outcome.status === status).length} ${status}`;
    super(
      `The run was stopped (${['done', 'not-done', 'unknown'].map(count).join(', ')}); see cause and outcomes`,
      options,
    );
    hide(this, 'outcomes', outcomes);
  }
}
