import { type BatchCall, BatchCalls } from './batch-calls.ts';
import { follow } from './deadline.ts';
import { CarillonError, hide } from './errors/base.ts';

/**
 * Splits a long list into several requests. Every item is in exactly one outcome, in the order of the input, and no item is sent
 * twice. A failed batch does not stop the others.
 *
 * A started batch is `not-done` only if both conditions hold:
 *
 * - `run` rejected with the error of one of its calls that was not sent (`sent: 'no'`), or with the reason of the abort before
 *   any of its calls was sent;
 * - no other call that creates, changes or sends something was sent, may have been sent, or is still pending.
 *
 * Otherwise it is `unknown`. This includes a batch that the service refused (such as with 401, 422 or 429), because its request
 * was sent; `error` contains the service's response. It also includes a batch that made no call, or whose `run` rejected with an
 * error that does not come from a call.
 *
 * The calls of a batch are those that `run` makes, with or without `signal`, also inside another `runInBatches`. Browsers have no
 * `AsyncLocalStorage`, so only calls with the batch's `signal` are recognized there. If a call without `signal` may have been
 * sent, other batches that fail meanwhile are `unknown`, because a queue may have started the call for one of them. Always pass
 * `signal`. Requests that `run` makes without this client are not recognized. After a batch is reported as `not-done`, the client
 * refuses further modifying calls of it.
 *
 * @param options - the items, the size of a batch, and the function that sends one
 * @returns one outcome for each batch, in order
 * @throws `BatchStoppedError` with all outcomes if the signal is aborted or a callback throws. The run then starts no further
 * batch and waits for the running ones: up to five seconds after an abort, or until the pending calls have ended, and at least
 * five seconds, after a callback threw. A batch whose `run` has not settled by then is aborted and `unknown`. The run waits five
 * seconds for a callback.
 * @throws `RangeError` if `size` or `concurrency` is not an integer above 0
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
  const { items, size, concurrency = 4 } = options;
  if (!Array.isArray(items)) throw new RangeError('items must be a list');
  for (const [name, value] of Object.entries({ size, concurrency })) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a whole number above 0`);
  }
  return new BatchRun(options).finish(concurrency);
}

/** One batch, as passed to callbacks. */
export interface Batch<Item> {
  /** Position of the batch, from 0. */
  index: number;
  /** Items of the batch. */
  items: Item[];
}

/** The outcome of one batch. */
export type BatchOutcome<Item, Result> = Batch<Item> &
  (
    | {
        /** The batch was processed. */
        status: 'done';
        /** Result of `run`. */
        result: Result;
      }
    | {
        /** No part of the batch was sent. It can be run again. */
        status: 'not-done';
        /** Rejection of `run`, or the reason why the run stopped before this batch. */
        error: unknown;
      }
    | {
        /**
         * The batch may have been processed. Check the service before you run it again. If the service refused it, `error` says
         * so.
         */
        status: 'unknown';
        /** Rejection of `run`, or the reason why the run stopped if `run` did not settle in time. */
        error: unknown;
      }
  );

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

/**
 * One run of batches. Starts the batches and records their outcomes.
 *
 * @internal
 */
class BatchRun<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  readonly #batches: Batch<Item>[];
  readonly #outcomes = new Map<number, BatchOutcome<Item, Result>>();
  readonly #inFlight = new Set<AbortController>();
  /** Aborted when the run stops. */
  readonly #stopped = new AbortController();
  /** Why the run stopped. Wrapped, because the reason of an abort can be `undefined`. */
  #stop: { reason: unknown } | undefined;

  constructor(options: BatchOptions<Item, Result>) {
    const { items, size } = options;
    this.#options = options;
    this.#batches = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => ({
      index,
      items: items.slice(index * size, (index + 1) * size),
    }));
  }

  /** Runs all batches, `concurrency` at once. */
  async finish(concurrency: number): Promise<BatchOutcome<Item, Result>[]> {
    const { signal } = this.#options;
    const onAbort = (): void => {
      this.#stopWith(signal?.reason);
      for (const controller of this.#inFlight) controller.abort(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    const queue = this.#batches.values();
    const workers = Math.min(concurrency, this.#batches.length);
    await Promise.all(Array.from({ length: workers }, () => this.#work(queue)));
    signal?.removeEventListener('abort', onAbort);
    const ordered = [...this.#outcomes.values()].sort((a, b) => a.index - b.index);
    if (this.#stop && this.#batches.length > 0) throw new BatchStoppedError(ordered, { cause: this.#stop.reason });
    return ordered;
  }

  /** Runs batches from the queue one after the other until it is empty. */
  async #work(queue: Iterable<Batch<Item>>): Promise<void> {
    const { onStart, onEnd, onProgress } = this.#options;
    for (const batch of queue) {
      const isNoted = !this.#stop && (await this.#call(() => onStart?.(batch)));
      const outcome = await this.#start(batch);
      this.#outcomes.set(batch.index, outcome);
      const progress = { finished: this.#outcomes.size, total: this.#batches.length, outcome };
      if (isNoted) await this.#call(() => onEnd?.(outcome));
      if (!this.#stop) await this.#call(() => onProgress?.(progress));
    }
  }

  async #start(batch: Batch<Item>): Promise<BatchOutcome<Item, Result>> {
    if (this.#stop) return { ...batch, status: 'not-done', error: this.#stop.reason };
    const { run, signal } = this.#options;
    const controller = new AbortController();
    const calls = new BatchCalls(signal);
    this.#inFlight.add(controller);
    // Pass a copy, so that no item is lost if `run` changes the list.
    const options = { signal: controller.signal, index: batch.index };
    const running = calls.track(controller.signal, () => run([...batch.items], options));
    try {
      const limits = { stopped: this.#stopped.signal, aborted: controller.signal, underWay: () => calls.underWay };
      const settled = await settle(running, limits);
      if (settled) return { ...batch, status: 'done', result: settled.value };
      const reason = this.#stopReason();
      controller.abort(reason);
      return { ...batch, status: 'unknown', error: reason };
    } catch (error) {
      const isAbort = controller.signal.aborted && error === controller.signal.reason;
      calls.isNotDone = calls.provesNotDone(error, isAbort);
      // Do not let a call be sent after the outcome is reported.
      controller.abort(error);
      return { ...batch, status: calls.isNotDone ? 'not-done' : 'unknown', error };
    } finally {
      this.#inFlight.delete(controller);
    }
  }

  /** Calls a callback and returns whether it succeeded. The first failure stops the run. */
  async #call(callback: () => unknown): Promise<boolean> {
    const called = (async () => callback())();
    try {
      return (await settle(called, { stopped: this.#stopped.signal })) !== undefined;
    } catch (reason) {
      this.#stopWith(reason);
      return false;
    }
  }

  #stopWith(reason: unknown): void {
    this.#stop ??= { reason };
    this.#stopped.abort();
  }

  #stopReason(): unknown {
    return this.#stop?.reason;
  }
}

/**
 * How long a stopped run waits for its pending work, in milliseconds.
 *
 * @internal
 */
export const gracePeriod = 5_000;

/**
 * When to stop waiting.
 *
 * @internal
 */
export interface WaitLimits {
  /** Aborted when the run stops, for any reason. Starts the grace period. */
  stopped: AbortSignal;
  /** Aborted when the batch is aborted. Starts the grace period, which then also applies to pending calls. */
  aborted?: AbortSignal;
  /** The pending calls. Those that are pending when the run stops are waited for, because each ends with its own `timeout`. */
  underWay?: () => readonly BatchCall[];
}

/**
 * Waits for work of a run. After the run is stopped, it waits only for a limited time.
 *
 * @returns the value, or `undefined` after the time limit
 *
 * @internal
 */
export function settle<Value>(
  work: Promise<Value>,
  { stopped, aborted, underWay }: WaitLimits,
): Promise<{ value: Value } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let awaited: readonly BatchCall[] = [];
  const ends: (() => void)[] = [];
  const settled = new Promise<{ value: Value } | undefined>((resolve, reject) => {
    const startPeriod = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!aborted?.aborted && awaited.some((call) => call.isUnderWay)) startPeriod();
        else resolve(undefined);
      }, gracePeriod);
    };
    const onStop = (): void => {
      awaited = underWay?.() ?? [];
      startPeriod();
    };
    ends.push(follow(stopped, onStop));
    if (aborted) ends.push(follow(aborted, startPeriod));
    // Also handles a late rejection.
    work.then((value) => resolve({ value }), reject);
  });
  return settled.finally(() => {
    clearTimeout(timer);
    for (const end of ends) end();
  });
}
