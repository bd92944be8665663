import type { Sent } from './errors/base.ts';
import { DeadlineError } from './errors/local-errors.ts';
import { follow } from './follow.ts';

/**
 * One deadline over everything that a call does, and a limit for each try within it. `race` bounds whatever waits, also a
 * custom `fetch` or token function that ignores the signal. A change of the clock changes nothing.
 */
export class Deadline {
  /** Of the try under way: a try that takes too long is aborted, and the next one gets another signal. */
  #controller = new AbortController();
  readonly #fail: () => DeadlineError;
  readonly #end: number;
  #tryEnd = Number.POSITIVE_INFINITY;
  #tryLimit = 0;
  /** When the timer fires: at the end of the try or the call, or before. */
  #due: number;
  #timer: ReturnType<typeof setTimeout>;
  readonly #unfollow: (() => void) | undefined;
  /** Rejects what the call waits for; it waits for one thing at a time. */
  #reject: ((reason: unknown) => void) | undefined;

  /**
   * @param timeout - milliseconds for everything
   * @param what - what takes too long, for the error
   * @param caller - aborts everything
   * @param state - how far the request has come, for the error
   * @param firstLimit - the expected limit of a try, so that one timer serves both
   */
  constructor(
    timeout: number,
    what: string,
    caller?: AbortSignal,
    state?: { readonly sent: Sent },
    firstLimit: number = timeout,
  ) {
    this.#fail = () => new DeadlineError(`${what} took longer than ${timeout} ms`, state?.sent ?? 'no');
    const now = performance.now();
    this.#end = now + timeout;
    this.#due = now + Math.min(timeout, firstLimit);
    this.#timer = setTimeout(this.#tick, this.#due - now);
    if (caller?.aborted) this.#abort(caller.reason);
    this.#unfollow = caller && follow(caller, () => this.#abort(caller.reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles as the promise does, or rejects with the reason of the abort as soon as there is one. */
  race<T>(promise: Promise<T>): Promise<T> {
    // A listener on the signal for each wait would be a good part of what a call costs.
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.signal.aborted) reject(this.signal.reason);
      promise.then(resolve, reject);
    });
  }

  /** Limits a try: what it waits for rejects with a `TimeoutError` then. */
  startTry(limit: number): void {
    const now = performance.now();
    this.#tryLimit = limit;
    this.#tryEnd = now + limit;
    if (this.#tryEnd < this.#due) this.#arm(now, this.#tryEnd);
  }

  endTry(): void {
    this.#tryEnd = Number.POSITIVE_INFINITY;
  }

  /** Milliseconds that are left. */
  remaining(): number {
    return this.#end - performance.now();
  }

  /** Waits, or rejects at once when the call is aborted. */
  wait(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    return this.race(waited).finally(() => clearTimeout(timer));
  }

  readonly #tick = (): void => {
    const now = performance.now();
    // Timers may fire a little early.
    if (this.#end - now < 1) {
      this.#abort(this.#fail());
      return;
    }
    if (this.#tryEnd - now < 1) {
      this.endTry();
      const controller = this.#controller;
      this.#controller = new AbortController();
      this.#stop(controller, new DOMException(`The try took longer than ${this.#tryLimit} ms`, 'TimeoutError'));
    }
    this.#arm(now, Math.min(this.#end, this.#tryEnd));
  };

  #arm(now: number, due: number): void {
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(this.#tick, due - now);
  }

  #abort(reason: unknown): void {
    this.#stop(this.#controller, reason);
  }

  #stop(controller: AbortController, reason: unknown): void {
    controller.abort(reason);
    this.#reject?.(reason);
  }

  /** Ends the timer and lets go of the caller's signal; every call must come here. */
  end(): void {
    clearTimeout(this.#timer);
    this.#unfollow?.();
  }
}

/** For a signal of one call: the listener ends with it. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    if (signal.aborted) reject(signal.reason);
    promise.then(resolve, reject);
  });
}
