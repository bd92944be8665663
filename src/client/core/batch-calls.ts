import type { CallState } from './call-state.ts';
import { type AsyncContext, nodeModule } from './node-module.ts';

/** The members of a call that a batch reads. */
export type BatchCall = Pick<CallState, 'sent' | 'isUnderWay' | 'failedWith'>;

/** Where the signal of a batch keeps its calls. All copies of the package share it. */
const callsKey = /* @__PURE__ */ Symbol.for('carillon.calls');
const registryKey = /* @__PURE__ */ Symbol.for('carillon.batches');

/** Ties calls to batches. All copies of the package share one: a call that no batch sees could make a batch `not-done`. */
interface Registry {
  /** The batch within which a call is made. `undefined` without `AsyncLocalStorage`, as in browsers. */
  context: AsyncContext<BatchCalls> | undefined;
  /** Batches under way. */
  open: Set<BatchCalls>;
}

/** The calls of one batch. */
export class BatchCalls {
  /** This batch, and the batches within which it runs. */
  readonly chain: readonly BatchCalls[];
  /** Whether the batch has been reported as `not-done`, so that nothing of it may be sent any more. */
  isNotDone = false;
  readonly #reading = new Set<BatchCall>();
  readonly #changing = new Set<BatchCall>();
  /** Calls that may belong to the batch. */
  readonly #possible = new Set<BatchCall>();

  /** @param signal - the signal of the run, which can be that of another batch */
  constructor(signal: AbortSignal | undefined) {
    this.chain = [this, ...batchesOf(findRegistry(), signal)];
  }

  /** The calls under way that certainly belong to the batch. */
  get underWay(): BatchCall[] {
    return [...this.#reading, ...this.#changing].filter((call) => call.isUnderWay);
  }

  add(call: BatchCall, isReading: boolean): void {
    (isReading ? this.#reading : this.#changing).add(call);
  }

  addPossible(call: BatchCall): void {
    this.#possible.add(call);
  }

  /**
   * Whether the batch was certainly not processed, although it was started: it failed with the error of a call that it made, this
   * call was not sent, and no other call that changes something was or may have been sent.
   *
   * @param error - what `run` rejected with
   * @param isAbort - it is the reason of the abort. If it is not the error of a call, no call at all may have been sent.
   */
  provesNotDone(error: unknown, isAbort: boolean): boolean {
    const known = [...this.#reading, ...this.#changing];
    const mayChange = [...this.#changing, ...this.#possible];
    if (known.some((call) => call.failedWith(error) && isUnsent(call))) return mayChange.every(isUnsent);
    return isAbort && known.length > 0 && known.every(isUnsent) && mayChange.every(isUnsent);
  }

  /** Runs the batch, and ties calls to it that are made within, or with its signal. */
  async track<Result>(signal: AbortSignal, action: () => PromiseLike<Result>): Promise<Result> {
    const registry = findRegistry() ?? createRegistry();
    Object.defineProperty(signal, callsKey, { value: this });
    // Waits within the context: a list, for example, starts only when it is awaited.
    const start = async (): Promise<Result> => action();
    registry.open.add(this);
    try {
      return await (registry.context ? registry.context.run(this, start) : start());
    } finally {
      registry.open.delete(this);
    }
  }
}

function isUnsent(call: BatchCall): boolean {
  return !call.isUnderWay && call.sent === 'no';
}

/**
 * Adds a call to the batches that it belongs to. It can be added again when its signal is known.
 *
 * @param isReading - it changes nothing
 * @returns whether its batch was already reported as `not-done`: then it must not be sent
 */
export function noteCall(call: BatchCall, isReading: boolean, signal: AbortSignal | undefined): boolean {
  const registry = findRegistry();
  if (!registry) return false;
  const batches = batchesOf(registry, signal);
  for (const batch of batches) batch.add(call, isReading);
  if (isReading) return false;
  const own = batchOf(signal);
  if (own) return own.chain.some((batch) => batch.isNotDone);
  // Without the signal of its batch, a call can be of any: a queue may start it within the context of another one.
  for (const batch of registry.open) if (!batches.has(batch)) batch.addPossible(call);
  return [...batches].some((batch) => batch.isNotDone);
}

/** The batches that a call belongs to, from its context and its signal. */
function batchesOf(registry: Registry | undefined, signal: AbortSignal | undefined): Set<BatchCalls> {
  const inner = [registry?.context?.getStore(), batchOf(signal)];
  return new Set(inner.flatMap((batch) => batch?.chain ?? []));
}

/** The batch whose own signal this is. */
function batchOf(signal: AbortSignal | undefined): BatchCalls | undefined {
  // Only `track` writes it.
  return signal && (Reflect.get(signal, callsKey) as BatchCalls | undefined);
}

function findRegistry(): Registry | undefined {
  // Only `createRegistry` writes it.
  return Reflect.get(globalThis, registryKey) as Registry | undefined;
}

function createRegistry(): Registry {
  const AsyncLocalStorage = nodeModule('node:async_hooks')?.AsyncLocalStorage;
  const registry: Registry = { context: AsyncLocalStorage && new AsyncLocalStorage(), open: new Set() };
  Object.defineProperty(globalThis, registryKey, { value: registry, configurable: true });
  return registry;
}
