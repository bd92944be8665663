import type { WaitingCall } from './authorizer.ts';
import { follow } from './follow.ts';

/** Age up to which a refused token is given time instead of being replaced, in milliseconds. New tokens spread slowly. */
export const maxYouth = 5_000;
/** Waits before a refused young token is sent again, in milliseconds. All calls share them. */
const waits = [200, 500, 1_000];
/** How long calls wait for the answer to the request that sends the token, in milliseconds. Then the next call sends it. */
const maxAttempt = 1_000;

/**
 * Finds out whether a service accepts a young token that it has refused. After each wait, one call sends the token, and the others wait
 * for the answer. Times come from a monotonic clock.
 */
export class TokenTrial {
  readonly #elapsed: () => number;
  readonly #youngUntil: number;
  readonly #waiting = new Set<() => void>();
  #isRefused = false;
  #wasAccepted = false;
  #waitsUsed = 0;
  /** When the token may be sent again. `undefined` if no call has to wait. */
  #goAt: number | undefined;
  /** Until when the others wait for the call that sends the token. */
  #attemptUntil = Number.NEGATIVE_INFINITY;
  /** Answers to requests that were sent earlier say nothing new. */
  #knownUntil = Number.NEGATIVE_INFINITY;

  constructor(elapsed: () => number, youngUntil: number) {
    this.#elapsed = elapsed;
    this.#youngUntil = youngUntil;
  }

  get isYoung(): boolean {
    return this.#elapsed() < this.#youngUntil;
  }

  /** Whether the token was refused, and was not accepted since. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether the service has accepted the token at any time, so that a 401 may be about the machine or the operation. */
  get wasAccepted(): boolean {
    return this.#wasAccepted;
  }

  /** Whether the token was refused after the last wait, so that no call waits for it any more. */
  get hasFailed(): boolean {
    return this.#isRefused && this.#goAt === undefined && this.#waitsUsed === waits.length;
  }

  /**
   * Takes note of how a request with the token ended.
   *
   * @param isRefused - whether the answer was 401; `undefined` without an answer
   */
  end(sentAt: number, isRefused: boolean | undefined): void {
    if (isRefused === false) this.#wasAccepted = true;
    if (sentAt < this.#knownUntil) return;
    if (isRefused) this.#refuse();
    else if (this.#goAt === undefined) return;
    else if (isRefused === false) this.#accept();
    else this.#attemptUntil = Number.NEGATIVE_INFINITY;
    this.#wake();
  }

  #refuse(): void {
    const wait = waits[this.#waitsUsed];
    this.#isRefused = true;
    this.#attemptUntil = Number.NEGATIVE_INFINITY;
    this.#goAt = undefined;
    if (wait === undefined) return;
    this.#waitsUsed += 1;
    this.#goAt = this.#elapsed() + wait;
    this.#knownUntil = this.#goAt;
  }

  #accept(): void {
    this.#isRefused = false;
    this.#goAt = undefined;
    this.#knownUntil = this.#elapsed();
  }

  /** Ends all waits, because the token was replaced. */
  close(): void {
    this.#goAt = undefined;
    this.#wake();
  }

  /**
   * Waits until a call may send the token.
   *
   * @returns `false` if the token was found refused, or if the wait would exceed the deadline of the call
   */
  async turn(call: WaitingCall): Promise<boolean> {
    while (this.#goAt !== undefined) {
      const time = this.#elapsed();
      const isAttempted = time < this.#attemptUntil;
      if (!isAttempted && time >= this.#goAt) {
        this.#attemptUntil = time + maxAttempt;
        return true;
      }
      const wait = (isAttempted ? this.#attemptUntil : this.#goAt) - time;
      if (!isAttempted && wait >= call.remaining()) return false;
      await this.#wait(wait, call.signal);
    }
    return !this.#isRefused;
  }

  /** Waits until the time is over or something is known. Rejects when the call is aborted. */
  async #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const timer = setTimeout(end, milliseconds);
    const unfollow = follow(signal, end);
    this.#waiting.add(end);
    await ended;
    this.#waiting.delete(end);
    unfollow();
    clearTimeout(timer);
    signal.throwIfAborted();
  }

  #wake(): void {
    for (const end of this.#waiting) end();
  }
}
