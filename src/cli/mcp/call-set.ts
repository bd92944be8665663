import { randomUUID } from 'node:crypto';
import type { Method } from '../catalogue/index.ts';
import { digestOf } from './consent.ts';
import type { ReadyCall, ToolFailure, ToolResponse } from './outcome.ts';
import { aborted } from './progress.ts';
import type { Session } from './session.ts';

/** Makes one call. In the result, `isOver` says whether all later calls would also fail. */
export type MakeCall = (ready: ReadyCall, signal: AbortSignal) => Promise<Made>;

export interface Made {
  outcome: ToolResponse | ToolFailure;
  isOver: boolean;
}

/** A client request that waits for a set of calls. */
interface Waiting {
  /** Aborts at the time limit, or if the client cancels the request. */
  readonly until: AbortSignal;
  onCall(set: CallSet): void;
}

/**
 * Calls of one method, made one after the other. At the time limit of a request, the set stops after the call in flight, and can
 * be resumed later. If the client cancels the request, the call in flight is aborted, and no further call is sent.
 */
export class CallSet {
  readonly handle = randomUUID();
  readonly method: Method;
  readonly ready: readonly ReadyCall[];
  /** Outcomes of the calls that were made, in order. */
  readonly outcomes: (ToolResponse | ToolFailure)[] = [];
  readonly #make: MakeCall;
  readonly #cancelling = new AbortController();
  #waiting: Waiting | undefined;
  #loop: Promise<void> | undefined;

  constructor(method: Method, ready: readonly ReadyCall[], make: MakeCall) {
    this.method = method;
    this.ready = ready;
    this.#make = make;
  }

  get isComplete(): boolean {
    return this.outcomes.length === this.ready.length;
  }

  /** Whether a call was sent and its response has not arrived. */
  get isInFlight(): boolean {
    return this.#loop !== undefined;
  }

  /** Makes the remaining calls, until each call has an outcome or the request ends. */
  async proceed(waiting: Waiting, cancelled: AbortSignal): Promise<void> {
    this.#waiting = waiting;
    const cancel = (): void => this.#cancelling.abort();
    if (cancelled.aborted) cancel();
    cancelled.addEventListener('abort', cancel);
    this.#loop ??= this.#run().finally(() => {
      this.#loop = undefined;
    });
    // A call in flight can fail after the request has ended.
    this.#loop.catch(() => undefined);
    try {
      await Promise.race([this.#loop, aborted(waiting.until)]);
    } finally {
      cancelled.removeEventListener('abort', cancel);
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#cancelling;
    let isOver = false;
    for (const ready of this.ready.slice(this.outcomes.length)) {
      if (this.#waiting?.until.aborted && !signal.aborted) return;
      const made: Made = isOver || signal.aborted ? this.#notSent() : await this.#make(ready, signal);
      this.outcomes.push(made.outcome);
      isOver = made.isOver;
      this.#waiting?.onCall(this);
    }
  }

  #notSent(): Made {
    const why = this.#cancelling.signal.aborted ? 'the request was cancelled' : 'an earlier call in this set failed';
    return { outcome: { kind: 'failure', text: `${this.method.name}: not sent, because ${why}.` }, isOver: true };
  }
}

/** Number of milliseconds for which an interrupted set is kept. */
export const keptMilliseconds = 600_000;
const maxKept = 100;

interface Kept {
  readonly set: CallSet;
  readonly owner: Session;
  readonly digest: string;
  readonly expires: number;
}

/**
 * Interrupted sets of calls. A call can resume a set only if it repeats the set in the same session, or passes the handle of
 * the set. Over HTTP without sessions, only the handle works.
 */
export class KeptSets {
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  keep(set: CallSet, owner: Session): void {
    const now = this.#now();
    for (const [handle, { expires }] of this.#kept)
      if (expires <= now || this.#kept.size >= maxKept) this.#kept.delete(handle);
    const digest = digestOf(
      set.method.name,
      set.ready.map(({ params }) => params),
    );
    this.#kept.set(set.handle, { set, owner, digest, expires: now + keptMilliseconds });
  }

  /** Removes and returns the set with the same calls. Returns `needs handle` if only its handle can resume the set. */
  takeSame(
    method: string,
    ready: readonly Pick<ReadyCall, 'params'>[],
    session: Session,
  ): CallSet | 'needs handle' | undefined {
    if (this.#kept.size === 0) return undefined;
    const digest = digestOf(
      method,
      ready.map(({ params }) => params),
    );
    const isSame = (one: Kept): boolean => one.owner === session && one.digest === digest;
    const found = [...this.#kept.values()].find((one) => isSame(one) && one.expires > this.#now());
    if (!found) return undefined;
    return session.isShared ? 'needs handle' : this.take(found.set.handle, method);
  }

  take(handle: string, method: string): CallSet | undefined {
    const found = this.#kept.get(handle);
    if (!found || found.expires <= this.#now() || found.set.method.name !== method) return undefined;
    this.#kept.delete(handle);
    return found.set;
  }
}
