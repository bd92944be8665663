import type { CallState } from './call-state.ts';
import { ArgumentError, DeadlineError } from './errors/local-errors.ts';

/**
 * One deadline for a whole call, and a timeout for each attempt. `race` also bounds a custom `fetch` or token function that
 * ignores the signal. Uses a monotonic clock.
 */
export class Deadline {
  /** Aborts the current attempt. After an attempt exceeds its timeout, the next attempt gets a new signal. */
  #controller = new AbortController();
  readonly #end: number;
  readonly #fail: () => DeadlineError;
  /** End of the current attempt, or of the call between attempts. */
  #attemptEnd: number;
  /** One timer for the call and its attempts. A second timer would add considerably to the cost of a call. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  readonly #unfollow: (() => void) | undefined;
  /** Rejects the promise that the call is waiting for. A call waits for only one promise at a time. */
  #reject: ((reason: unknown) => void) | undefined;

  /**
   * @param state - name and progress of the call, for the `DeadlineError`
   * @param limit - timeout of the first attempt, in milliseconds
   */
  constructor(timeout: number, state: Pick<CallState, 'label' | 'sent'>, caller?: AbortSignal, limit = timeout) {
    const now = performance.now();
    this.#end = now + timeout;
    this.#attemptEnd = this.#end;
    this.#fail = () => new DeadlineError(`${state.label} took longer than ${timeout} ms`, state.sent);
    if (caller) this.#unfollow = this.#follow(caller);
    this.#arm(Math.min(timeout, limit), now);
  }

  /** Follows the caller's signal, which can be a custom implementation that throws. */
  #follow(caller: AbortSignal): () => void {
    try {
      return follow(caller, () => this.#abort(caller.reason));
    } catch (cause) {
      throw new ArgumentError('signal does not accept an abort listener; nothing was sent', { cause });
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles like the promise, or rejects with the abort reason as soon as the call is aborted. */
  race<T>(promise: Promise<T>): Promise<T> {
    // Adding a listener to the signal for each wait would add considerably to the cost of a call.
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.signal.aborted) reject(this.signal.reason);
      promise.then(resolve, reject);
    });
  }

  /** Starts the timeout of an attempt. When an attempt exceeds its timeout, the pending wait rejects with a `TimeoutError`. */
  startAttempt(limit: number): void {
    const now = performance.now();
    this.#attemptEnd = now + limit;
    if (this.#attemptEnd < this.#due) this.#arm(limit, now);
  }

  endAttempt(): void {
    this.#attemptEnd = this.#end;
  }

  #arm(delay: number, now: number): void {
    clearTimeout(this.#timer);
    this.#due = now + delay;
    this.#timer = setTimeout(() => this.#tick(performance.now()), delay);
  }

  #tick(now: number): void {
    // Timers may fire a little early.
    const isOver = (end: number): boolean => end - now < 1;
    if (this.signal.aborted) return;
    if (isOver(this.#end)) {
      this.#abort(this.#fail());
      return;
    }
    if (isOver(this.#attemptEnd)) {
      this.endAttempt();
      this.#abort(new DOMException('attemptTimeout exceeded', 'TimeoutError'));
      this.#controller = new AbortController();
    }
    this.#arm(Math.min(this.#end, this.#attemptEnd) - now, now);
  }

  /** Remaining milliseconds. */
  remaining(): number {
    return this.#end - performance.now();
  }

  /** Waits. Rejects immediately when the call is aborted. */
  wait(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    return this.race(waited).finally(() => clearTimeout(timer));
  }

  #abort(reason: unknown): void {
    this.#controller.abort(reason);
    this.#reject?.(reason);
  }

  /** Clears the timer and removes the listener from the caller's signal. Must be called at the end of every call. */
  end(): void {
    clearTimeout(this.#timer);
    try {
      this.#unfollow?.();
    } catch {
      // The outcome of the call is already known.
    }
  }
}

/** The callbacks for one signal, and the single listener that calls them. */
interface Followers {
  tells: Set<() => void>;
  listener: () => void;
}

const followers = /* @__PURE__ */ new WeakMap<EventTarget, Followers>();

/**
 * Calls a function when a signal is aborted, or immediately if the signal is already aborted. All followers of a signal share
 * one listener, because Node warns about more than ten listeners on signals from `AbortSignal.timeout` and `AbortSignal.any`.
 *
 * @returns a function that stops following the signal
 */
export function follow(signal: AbortSignal, tell: () => void): () => void {
  const { tells, listener } = followersOf(signal);
  if (tells.size === 0) signal.addEventListener('abort', listener);
  tells.add(tell);
  if (signal.aborted) tell();
  return () => {
    if (tells.delete(tell) && tells.size === 0) signal.removeEventListener('abort', listener);
  };
}

function followersOf(signal: AbortSignal): Followers {
  const known = followers.get(signal);
  if (known) return known;
  const tells = new Set<() => void>();
  const made: Followers = {
    tells,
    listener: () => {
      for (const tell of tells) tell();
    },
  };
  followers.set(signal, made);
  return made;
}
