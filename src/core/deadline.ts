import type { Sent } from './errors/base.ts';
import { DeadlineError } from './errors/local-errors.ts';

/**
 * One deadline over everything that a call does. `race` bounds whatever waits, also a custom `fetch` or token function that
 * ignores the signal.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly signal: AbortSignal = this.#controller.signal;
  /** How far the request has come, for the error when time runs out. */
  sent: Sent = 'no';
  readonly #end: number;
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onAbort = (): void => this.#abort(this.#caller?.reason);
  /** Rejects what the call waits for; it waits for one thing at a time. */
  #reject: ((reason: unknown) => void) | undefined;

  constructor(timeout: number, operation: string, caller?: AbortSignal) {
    this.#caller = caller;
    this.#end = Date.now() + timeout;
    this.#timer = setTimeout(
      () => this.#abort(new DeadlineError(`${operation} took longer than ${timeout} ms`, this.sent)),
      timeout,
    );
    if (caller?.aborted) this.#onAbort();
    caller?.addEventListener('abort', this.#onAbort);
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

  /** Milliseconds that are left. */
  remaining(): number {
    return this.#end - Date.now();
  }

  /** Waits, or rejects at once when the call is aborted. */
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

  /** Ends the timer and lets go of the caller's signal; every call must come here. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
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
