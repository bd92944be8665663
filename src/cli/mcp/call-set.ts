import { randomUUID } from 'node:crypto';
import type { Method } from '../catalogue/index.ts';
import { digestOf } from './consent.ts';
import type { Failure, Ready, Response } from './outcome.ts';
import type { Session } from './session.ts';

/** Makes one call. `isOver` is whether the calls after it would fail, too. */
export type MakeCall = (ready: Ready) => Promise<Made>;

interface Made {
  outcome: Response | Failure;
  isOver: boolean;
}

/**
 * Calls of one method, one after the other. It can stop between two calls and go on later, so that a request that takes too
 * long ends with what was done, and no call is made twice.
 */
export class CallSet {
  readonly handle = randomUUID();
  readonly method: Method;
  readonly ready: readonly Ready[];
  /** Outcomes of the calls that were made, in order. */
  readonly outcomes: (Response | Failure)[] = [];
  readonly #make: MakeCall;
  #loop: Promise<void> | undefined;
  #isStopped = false;

  constructor(method: Method, ready: readonly Ready[], make: MakeCall) {
    this.method = method;
    this.ready = ready;
    this.#make = make;
  }

  get isComplete(): boolean {
    return this.outcomes.length === this.ready.length;
  }

  /** Whether a call was sent, and its response has not come. */
  get isInFlight(): boolean {
    return this.#loop !== undefined;
  }

  /** Makes the calls that are left, until all are made or a signal stops it. A call in flight goes on. */
  async proceed(until: AbortSignal | undefined, onCall: (set: CallSet) => void): Promise<void> {
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = () => {
        this.#isStopped = true;
        resolve();
      };
    });
    this.#isStopped = false;
    if (until?.aborted) stop();
    until?.addEventListener('abort', stop, { once: true });
    try {
      // The call that was in flight when the set was stopped.
      await Promise.race([this.#loop, stopped]);
      if (this.#isStopped) return;
      this.#loop ??= this.#run(onCall).finally(() => {
        this.#loop = undefined;
      });
      // Nobody waits for a call in flight after the request has ended.
      this.#loop.catch(() => undefined);
      await Promise.race([this.#loop, stopped]);
    } finally {
      until?.removeEventListener('abort', stop);
    }
  }

  async #run(onCall: (set: CallSet) => void): Promise<void> {
    let isOver = false;
    while (!this.isComplete && !this.#isStopped) {
      const ready = this.ready[this.outcomes.length];
      if (!ready) return;
      const text = `${this.method.name}: not sent, because a call of this set failed before it.`;
      const made: Made = isOver ? { outcome: { kind: 'failure', text }, isOver } : await this.#make(ready);
      this.outcomes.push(made.outcome);
      isOver = made.isOver;
      onCall(this);
    }
  }
}

/** Time for which a set that was cut off is kept. */
export const keptMilliseconds = 600_000;
const maxKept = 100;

interface Kept {
  readonly set: CallSet;
  readonly owner: Session;
  readonly digest: string;
  readonly expires: number;
}

/**
 * Sets that were cut off. Only a call that repeats the set in its session, or gives its handle, gets one back. Over HTTP without
 * sessions, only the handle does.
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

  /** Takes the set of the same calls, or says that its handle is needed for it. */
  takeSame(
    method: string,
    ready: readonly Pick<Ready, 'params'>[],
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
