import type { Batch, BatchOutcome } from './batch-outcome.ts';

/** The argument of `onProgress`. */
export interface BatchProgress<Item, Result> {
  /** Number of batches that have ended, with any outcome. */
  finished: number;
  /** Number of all batches. */
  total: number;
  /** Outcome of the batch that has just ended. */
  outcome: BatchOutcome<Item, Result>;
}

/** Options of `runInBatches`. */
export interface BatchOptions<Item, Result> {
  /** All items to send, in a list of any length. An empty list sends no request. */
  items: readonly Item[];
  /**
   * Maximum number of items per batch, such as the documented `Email.MessagesGetManyMaxItems.emails`, or a number of your choice.
   */
  size: number;
  /**
   * Sends one batch. Each batch is a separate request, so a campaign for 2,500 recipients becomes three campaigns.
   *
   * @param items - items of the batch, at most `size`
   * @param options - `signal`: pass it to every call of the batch, so that they are aborted with the run or when the batch fails;
   * `index`: position of the batch, from 0
   * @returns the `result` in the outcome of the batch
   */
  run(items: Item[], options: { signal: AbortSignal; index: number }): PromiseLike<Result>;
  /**
   * Number of batches that run at the same time, an integer above 0.
   * @default 4
   */
  concurrency?: number | undefined;
  /**
   * Stops the run when it is aborted. The run then starts no further batch, aborts the running ones and waits up to five seconds
   * for them.
   */
  signal?: AbortSignal | undefined;
  /**
   * Called before each batch, for example to write a journal. `run` waits for the returned promise. If it throws or rejects, the
   * batch is not sent, and the run stops.
   */
  onStart?: ((batch: Batch<Item>) => unknown) | undefined;
  /**
   * Called after each batch for which `onStart` was called, also after the run was stopped. If it throws or rejects, the run
   * stops.
   */
  onEnd?: ((outcome: BatchOutcome<Item, Result>) => unknown) | undefined;
  /** Called after each batch, and after `onEnd`, until the run stops. It may be async. If it throws or rejects, the run stops. */
  onProgress?: ((progress: BatchProgress<Item, Result>) => unknown) | undefined;
}
