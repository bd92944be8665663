import { isCarillonError } from './errors/base.ts';

/** What became of one batch. */
export type BatchOutcome<Item, Result> = {
  /** Position of the batch, from 0. */
  index: number;
  /** The items that it held. */
  items: Item[];
} & (
  | {
      /** It was processed. */
      status: 'done';
      /** What `run` gave. */
      result: Result;
    }
  | {
      /** It was certainly not processed: it can be run again. */
      status: 'not done';
      /** What `run` rejected with, or the reason of the abort. */
      error: unknown;
    }
  | {
      /** It may have been processed, and its reply was lost: look before it is run again. */
      status: 'unknown';
      /** What `run` rejected with. */
      error: unknown;
    }
);

/** What `onProgress` is told after each batch. */
export interface BatchProgress<Item, Result> {
  /** Batches that have ended, in whatever way. */
  finished: number;
  /** Batches in all. */
  total: number;
  /** The one that has just ended. */
  outcome: BatchOutcome<Item, Result>;
}

/** Options of {@link runInBatches}. */
export interface BatchOptions<Item, Result> {
  /** Everything that is to be sent, of any length; none is no request. */
  items: readonly Item[];
  /** Most items of one batch: a documented maximum such as `Email.MessagesGetManyMaxItems.emails`, or a number of yours. */
  size: number;
  /**
   * Sends one batch. Each is a request of its own: a campaign for 2,500 recipients becomes three campaigns.
   *
   * @param items - the items of the batch, `size` at most
   * @param options - `signal`, to hand on to the call; `index`, the position of the batch, from 0
   * @returns what the outcome of the batch keeps as `result`
   */
  run(items: Item[], options: { signal: AbortSignal; index: number }): PromiseLike<Result>;
  /**
   * How many batches are under way at once: a whole number above 0.
   * @default 4
   */
  concurrency?: number;
  /** Starts no further batch once it is aborted, and aborts those under way. */
  signal?: AbortSignal;
  /** Told after each batch. What it throws stops the run. */
  onProgress?(progress: BatchProgress<Item, Result>): void;
}

/**
 * Splits a long list over several requests. Nothing is dropped and nothing is sent twice: every item stands in exactly one
 * outcome, in the order of the input, and a failed batch does not stop the others.
 *
 * @param options - the items, how many of them a batch has, and what sends one
 * @returns one outcome for each batch, in order
 * @throws `RangeError` where `size` or `concurrency` is not a whole number above 0
 * @example
 * ```ts
 * import { createClient, Email, runInBatches } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const outcomes = await runInBatches({
 *   items: ['msg-2026-0001', 'msg-2026-0002'],
 *   size: Email.MessagesGetManyMaxItems.emails,
 *   run: (emails, { signal }) => api.email.messages.getMany({ emails }, { signal }),
 *   onProgress: ({ finished, total }) => console.log(`${finished} of ${total}`),
 * });
 * const again = outcomes.filter((outcome) => outcome.status === 'not done').flatMap((outcome) => outcome.items);
 * console.log(again);
 * ```
 */
export async function runInBatches<Item, Result>(
  options: BatchOptions<Item, Result>,
): Promise<BatchOutcome<Item, Result>[]> {
  const { items, size, run, concurrency = 4, onProgress } = options;
  for (const [name, value] of Object.entries({ size, concurrency })) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number above 0`);
  }
  const signal = options.signal ?? new AbortController().signal;
  const total = Math.ceil(items.length / size);
  const outcomes = new Array<BatchOutcome<Item, Result>>(total);
  let next = 0;
  let finished = 0;

  async function work(): Promise<void> {
    while (next < total) {
      const index = next;
      next += 1;
      const batch = { index, items: items.slice(index * size, (index + 1) * size) };
      const outcome = signal.aborted
        ? { ...batch, status: 'not done' as const, error: signal.reason }
        : await settle(batch, () => run(batch.items, { signal, index }));
      outcomes[index] = outcome;
      finished += 1;
      onProgress?.({ finished, total, outcome });
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
  return outcomes;
}

async function settle<Item, Result>(
  batch: { index: number; items: Item[] },
  run: () => PromiseLike<Result>,
): Promise<BatchOutcome<Item, Result>> {
  try {
    return { ...batch, status: 'done', result: await run() };
  } catch (error) {
    return { ...batch, status: notDone(error) ? 'not done' : 'unknown', error };
  }
}

/** Whether the request was certainly not processed: it was not sent, or the service refused it. */
function notDone(error: unknown): boolean {
  if (!isCarillonError(error)) return false;
  if ('sent' in error && error.sent === 'no') return true;
  // A refusal is an answer; 408 and 5xx say nothing about what happened before.
  if (error.name === 'ServerError' || error.name === 'ResponseError') return false;
  return 'code' in error && 'status' in error && error.status !== 408;
}
