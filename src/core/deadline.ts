import type { Sent } from './errors/base.ts';
import { DeadlineError } from './errors/local-errors.ts';

/**
 * One deadline over everything that a call does. `race` bounds whatever waits, also a custom `fetch` or token function that
 * ignores the signal.
 */
export class Deadline {
  readonly signal: AbortSignal;
  /** How far the request has come, for the error when time runs out. */
  sent: Sent = 'no';
  readonly #controller = new AbortController();
  readonly #end: number;
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #onAbort = (): void => this.#controller.abort(this.#caller?.reason);

  constructor(timeout: number, operation: string, caller?: AbortSignal) {
    this.signal = this.#controller.signal;
    this.#caller = caller;
    this.#end = Date.now() + timeout;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DeadlineError(`${operation} took longer than ${timeout} ms`, this.sent));
    }, timeout);
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Settles as the promise does, or rejects with the reason of the abort as soon as there is one. */
  race<T>(promise: Promise<T>): Promise<T> {
    return raceAbort(promise, this.signal);
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

  /** Ends the timer and lets go of the caller's signal; every call must come here. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
