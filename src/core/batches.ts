import type { Batch, BatchOutcome } from './batch-outcome.ts';
import { collectCalls } from './call-state.ts';
import type { Sent } from './errors/base.ts';
import { BatchStoppedError } from './errors/batch-error.ts';
import { isCarillonError } from './errors/is-carillon-error.ts';

/** What `onProgress` receives after each batch. */
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
  /** Everything that is to be sent, of any length; no items make no request. */
  items: readonly Item[];
  /** Most items of one batch: a documented maximum such as `Email.MessagesGetManyMaxItems.emails`, or a number that you choose. */
  size: number;
  /**
   * Sends one batch. Each is a request of its own: a campaign for 2,500 recipients becomes three campaigns.
   *
   * @param items - the items of the batch, `size` at most
   * @param options - `signal`: pass it to every call of the batch, which aborts them with the run or once the batch has
   *   failed, and reports the outcome of each to the run; `index`: the position of the batch, from 0
   * @returns what the outcome of the batch keeps as `result`
   */
  run(items: Item[], options: { signal: AbortSignal; index: number }): PromiseLike<Result>;
  /**
   * How many batches are under way at once: a whole number above 0.
   * @default 4
   */
  concurrency?: number | undefined;
  /** Stops the run once it is aborted: starts no further batch, and aborts those under way. */
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

/**
 * Splits a long list over several requests. Nothing is dropped and nothing is sent twice: every item is in exactly one
 * outcome, in the order of the input, and a failed batch does not stop the others.
 *
 * A batch is `not-done` only if each call that it made with its signal was certainly not processed. A batch that has started
 * and made none of them is `unknown` after an abort.
 *
 * @param options - the items, how many of them a batch has, and what sends one
 * @returns one outcome for each batch, in order
 * @throws `BatchStoppedError` if the signal is aborted or a callback throws: it starts nothing more, waits for what is in
 *   flight, and has all outcomes
 * @throws `RangeError` if `size` or `concurrency` is not a whole number above 0
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
 * const again = outcomes.filter((outcome) => outcome.status === 'not-done').flatMap((outcome) => outcome.items);
 * console.log(again);
 * ```
 */
export async function runInBatches<Item, Result>(
  options: BatchOptions<Item, Result>,
): Promise<BatchOutcome<Item, Result>[]> {
  const { items, size, run, signal, concurrency = 4 } = options;
  for (const [name, value] of Object.entries({ size, concurrency })) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number above 0`);
  }
  const batches = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => ({
    index,
    items: items.slice(index * size, (index + 1) * size),
  }));
  const outcomes = new Map<number, BatchOutcome<Item, Result>>();
  const errors = new Set<unknown>();
  const inFlight = new Set<AbortController>();
  let stop: { reason: unknown } | undefined;
  const onAbort = (): void => {
    stop ??= { reason: signal?.reason };
    for (const controller of inFlight) controller.abort(signal?.reason);
  };
  /** Whether a callback went well. The first failure stops the run. */
  async function call(callback: () => unknown): Promise<boolean> {
    try {
      await callback();
      return true;
    } catch (reason) {
      stop ??= { reason };
      return false;
    }
  }

  async function start(batch: Batch<Item>): Promise<BatchOutcome<Item, Result>> {
    if (stop) return { ...batch, status: 'not-done', error: stop.reason };
    const controller = new AbortController();
    const calls = collectCalls(controller.signal);
    inFlight.add(controller);
    try {
      // A copy: what `run` does with its items loses none here.
      const result = await run([...batch.items], { signal: controller.signal, index: batch.index });
      return { ...batch, status: 'done', result };
    } catch (error) {
      // An abort, or an error that another batch has brought: it says nothing about this one.
      const { reason } = controller.signal;
      const isForeign = errors.has(error) || error === reason;
      errors.add(error);
      // What is not sent yet must not be sent after the outcome.
      controller.abort(error);
      const isUnsent = isForeign ? calls.length > 0 : isCarillonError(error) && isUnprocessed(error.sent, error);
      const isNotDone =
        isUnsent && calls.every((made) => isUnprocessed(made.sent, made.error === reason ? undefined : made.error));
      return { ...batch, status: isNotDone ? 'not-done' : 'unknown', error };
    } finally {
      inFlight.delete(controller);
    }
  }

  const queue = batches.values();
  async function work(): Promise<void> {
    for (const batch of queue) {
      const isNoted = !stop && (await call(() => options.onStart?.(batch)));
      const outcome = await start(batch);
      outcomes.set(batch.index, outcome);
      const progress = { finished: outcomes.size, total: batches.length, outcome };
      if (isNoted) await call(() => options.onEnd?.(outcome));
      if (!stop) await call(() => options.onProgress?.(progress));
    }
  }
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  await Promise.all(Array.from({ length: Math.min(concurrency, batches.length) }, work));
  signal?.removeEventListener('abort', onAbort);
  const ordered = [...outcomes.values()].sort((a, b) => a.index - b.index);
  if (stop && batches.length > 0) throw new BatchStoppedError(ordered, { cause: stop.reason });
  return ordered;
}

/** Whether a call that ended so was certainly not processed: it was not sent, or its one answer is a refusal. */
function isUnprocessed(sent: Sent | undefined, error: unknown): boolean {
  // 408 and 5xx say nothing about what happened before.
  const isRefusal = isCarillonError(error, 'ApiError') && error.status < 500 && error.status !== 408;
  return sent === 'no' || (sent === 'yes' && isRefusal);
}
