import type { CallState } from './call-state.ts';
import { ArgumentError, DeadlineError } from './errors/local-errors.ts';
import { follow } from './follow.ts';

/**
 * One deadline over everything that a call does, and a limit for each try within it. `race` bounds whatever waits, also a
 * custom `fetch` or token function that ignores the signal. A change of the clock changes nothing.
 */
export class Deadline {
  /** Of the try under way: a try that takes too long is aborted, and the next one gets another signal. */
  #controller = new AbortController();
  readonly #end: number;
  readonly #fail: () => DeadlineError;
  /** The end of the try under way, or of the call. */
  #tryEnd: number;
  /** One timer serves the call and its tries: a second one would be a good part of what a call costs. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  readonly #unfollow: (() => void) | undefined;
  /** Rejects what the call waits for; it waits for one thing at a time. */
  #reject: ((reason: unknown) => void) | undefined;

  /**
   * @param state - names the call and tells how far it has come, for the error when time runs out
   * @param limit - the limit of the first try
   */
  constructor(timeout: number, state: Pick<CallState, 'label' | 'sent'>, caller?: AbortSignal, limit = timeout) {
    const now = performance.now();
    this.#end = now + timeout;
    this.#tryEnd = this.#end;
    this.#fail = () => new DeadlineError(`${state.label} took longer than ${timeout} ms`, state.sent);
    if (caller) this.#unfollow = this.#follow(caller);
    this.#arm(Math.min(timeout, limit), now);
  }

  /** The signal can be that of a library, or of a program. */
  #follow(caller: AbortSignal): () => void {
    try {
      return follow(caller, () => this.#abort(caller.reason));
    } catch (cause) {
      throw new ArgumentError('signal cannot be listened to; nothing was sent', { cause });
    }
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
    this.#tryEnd = now + limit;
    if (this.#tryEnd < this.#due) this.#arm(limit, now);
  }

  endTry(): void {
    this.#tryEnd = this.#end;
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
    if (isOver(this.#tryEnd)) {
      this.endTry();
      this.#abort(new DOMException('attemptTimeout exceeded', 'TimeoutError'));
      this.#controller = new AbortController();
    }
    this.#arm(Math.min(this.#end, this.#tryEnd) - now, now);
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

  #abort(reason: unknown): void {
    this.#controller.abort(reason);
    this.#reject?.(reason);
  }

  /** Ends the timer and lets go of the caller's signal; every call must come here. */
  end(): void {
    clearTimeout(this.#timer);
    try {
      this.#unfollow?.();
    } catch {
      // The call has its outcome.
    }
  }
}
