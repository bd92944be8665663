import { BatchCalls } from './batch-calls.ts';
import type { BatchOptions } from './batch-options.ts';
import type { Batch, BatchOutcome } from './batch-outcome.ts';
import { BatchStoppedError } from './errors/batch-error.ts';
import { settle } from './settle.ts';

/** One run of batches. Starts the batches and records their outcomes. */
export class BatchRun<Item, Result> {
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
