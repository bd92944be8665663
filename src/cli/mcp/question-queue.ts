import { consentMilliseconds } from './consent.ts';

/** The questions of one session. One question is open at a time, so that a person reads one question after the other. */
export class QuestionQueue {
  #isOpen = false;
  #id: string | undefined;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Waits until a call can ask. Resolves to `false` if `until` aborts first. */
  enter(until: AbortSignal): Promise<boolean> {
    if (until.aborted) return Promise.resolve(false);
    if (!this.#isOpen) {
      this.#isOpen = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const next = (): void => resolve(true);
      this.#waiting.push(next);
      const stop = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== next);
        resolve(false);
      };
      // If the call can already ask, this has no effect.
      until.addEventListener('abort', stop, { once: true });
    });
  }

  /** Stores the open question. If the client never answers, the question blocks the queue until the question expires. */
  asked(id: string): void {
    this.#id = id;
    this.#timer = setTimeout(() => this.decided(id), consentMilliseconds);
    this.#timer.unref();
  }

  /** Ends a question, if it is open. */
  decided(id: string): void {
    if (this.#id === id) this.leave();
  }

  /** Lets the next call ask. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#id = undefined;
    const next = this.#waiting.shift();
    this.#isOpen = next !== undefined;
    next?.();
  }
}
