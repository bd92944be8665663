import type { Sent } from '../../shared/call-types.ts';
import { type AsyncContext, nodeModule } from './node-module.ts';

/**
 * The members of a call that a batch reads.
 *
 * @internal
 */
export interface BatchCall {
  readonly sent: Sent;
  readonly isUnderWay: boolean;
  /** Whether the call ended with this error. */
  failedWith(error: unknown): boolean;
}

/** Property of a batch's signal that holds its calls. All copies of the package share the key. */
const callsKey = /* @__PURE__ */ Symbol.for('carillon.calls');
const registryKey = /* @__PURE__ */ Symbol.for('carillon.batches');

/**
 * Assigns calls to batches. All copies of the package share one registry, because a batch that misses a call could be reported as
 * `not-done`.
 */
interface Registry {
  /** Holds the batch in whose context a call is made. `undefined` without `AsyncLocalStorage`, as in browsers. */
  context: AsyncContext<BatchCalls> | undefined;
  /** Running batches. */
  open: Set<BatchCalls>;
}

/**
 * The calls of one batch.
 *
 * @internal
 */
export class BatchCalls {
  /** This batch and the batches that contain it. */
  readonly chain: readonly BatchCalls[];
  /** Whether the batch was reported as `not-done`. No further calls of it are sent then. */
  isNotDone = false;
  readonly #reading = new Set<BatchCall>();
  readonly #changing = new Set<BatchCall>();
  /** Calls that may belong to the batch. */
  readonly #possible = new Set<BatchCall>();

  /** @param signal - signal of the run, which can belong to an outer batch */
  constructor(signal: AbortSignal | undefined) {
    this.chain = [this, ...batchesOf(findRegistry(), signal)];
  }

  /** Pending calls that certainly belong to the batch. */
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
   * Whether a started batch was certainly not processed. This is the case if it failed with the error of one of its calls, that
   * call was not sent, and no other modifying call was sent or may have been sent.
   *
   * @param error - rejection of `run`
   * @param isAbort - whether the error is the reason of the abort. Unless it is the error of an unsent call, no call at all may
   * have been sent.
   */
  provesNotDone(error: unknown, isAbort: boolean): boolean {
    const known = [...this.#reading, ...this.#changing];
    const mayChange = [...this.#changing, ...this.#possible];
    if (known.some((call) => call.failedWith(error) && isUnsent(call))) return mayChange.every(isUnsent);
    return isAbort && known.length > 0 && known.every(isUnsent) && mayChange.every(isUnsent);
  }

  /** Runs the batch, and assigns to it the calls made in its context or with its signal. */
  async track<Result>(signal: AbortSignal, action: () => PromiseLike<Result>): Promise<Result> {
    const registry = findRegistry() ?? createRegistry();
    Object.defineProperty(signal, callsKey, { value: this });
    // Await inside the context, because a list, for example, starts only when it is awaited.
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
 * Adds a call to the batches that it belongs to.
 *
 * @param isReading - whether the call only reads
 * @returns whether its batch was already reported as `not-done`, so that the call must not be sent
 *
 * @internal
 */
export function noteCall(call: BatchCall, isReading: boolean, signal: AbortSignal | undefined): boolean {
  const registry = findRegistry();
  if (!registry) return false;
  const batches = batchesOf(registry, signal);
  for (const batch of batches) batch.add(call, isReading);
  if (isReading) return false;
  const own = batchOf(signal);
  if (own) return own.chain.some((batch) => batch.isNotDone);
  // Without its batch's signal, a call can belong to any batch, because a queue may start it in the context of another one.
  for (const batch of registry.open) if (!batches.has(batch)) batch.addPossible(call);
  return [...batches].some((batch) => batch.isNotDone);
}

/** The batches that a call belongs to, by its context and its signal. */
function batchesOf(registry: Registry | undefined, signal: AbortSignal | undefined): Set<BatchCalls> {
  const inner = [registry?.context?.getStore(), batchOf(signal)];
  return new Set(inner.flatMap((batch) => batch?.chain ?? []));
}

/** The batch that owns a signal. */
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
