import type { Batch, BatchOutcome } from './batch-outcome.ts';

/** The argument of `onProgress`. */
export interface BatchProgress<Item, Result> {
  /** Batches that have ended, in whatever way. */
  finished: number;
  /** Batches in all. */
  total: number;
  /** The one that has just ended. */
  outcome: BatchOutcome<Item, Result>;
}

/** Options of `runInBatches`. */
export interface BatchOptions<Item, Result> {
  /** Everything that is to be sent, of any length; no items make no request. */
  items: readonly Item[];
  /** Most items of one batch: a documented maximum such as `Email.MessagesGetManyMaxItems.emails`, or a number that you choose. */
  size: number;
  /**
   * Sends one batch. Each is a request of its own: a campaign for 2,500 recipients becomes three campaigns.
   *
   * @param items - the items of the batch, `size` at most
   * @param options - `signal`: pass it to every call of the batch, which aborts them with the run or once the batch has
   *   failed; `index`: the position of the batch, from 0
   * @returns what the outcome of the batch keeps as `result`
   */
  run(items: Item[], options: { signal: AbortSignal; index: number }): PromiseLike<Result>;
  /**
   * How many batches are under way at once: a whole number above 0.
   * @default 4
   */
  concurrency?: number | undefined;
  /** Stops the run once it is aborted: starts no further batch, aborts those under way, and waits up to five seconds for them. */
  signal?: AbortSignal | undefined;
  /**
   * Called before each batch, for a journal; `run` waits for what it returns. If it throws or rejects, the batch is not sent, and
   * the run stops.
   */
  onStart?: ((batch: Batch<Item>) => unknown) | undefined;
  /**
   * Called after each batch that `onStart` was called for, for a journal, also after the run was stopped. If it throws or rejects,
   * the run stops.
   */
  onEnd?: ((outcome: BatchOutcome<Item, Result>) => unknown) | undefined;
  /** Called after each batch, and after `onEnd`, until the run stops. It may be async. If it throws or rejects, the run stops. */
  onProgress?: ((progress: BatchProgress<Item, Result>) => unknown) | undefined;
}
