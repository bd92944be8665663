import type { Params } from '../catalogue/index.ts';
import { consentMilliseconds } from './consent.ts';
import { aborted } from './progress.ts';

/** The next step of a call that waited for a question. */
export type QueueResult =
  /** The call asks the person. The question also covers the other waiting calls of its method. */
  | { readonly kind: 'ask'; readonly others: readonly QueuedCall[] }
  /** The person decided about a question that included the call. */
  | { readonly kind: 'agreed' }
  | { readonly kind: 'declined' }
  /** The person did not decide in time. */
  | { readonly kind: 'undecided' };

/** A call, or a set of calls, that waits while another question is open. */
export interface QueuedCall {
  readonly method: string;
  readonly calls: readonly Params[];
  settle(result: QueueResult): void;
}

/**
 * The questions of one session. One question is open at a time. Calls of one method that arrive meanwhile share the next
 * question, so that a person is not asked about each call.
 */
export class QuestionQueue {
  #isOpen = false;
  #id: string | undefined;
  #others: readonly QueuedCall[] = [];
  #waiting: QueuedCall[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Waits until a call can ask, or until a question that includes the call has been decided. */
  enter(method: string, calls: readonly Params[], until: AbortSignal): Promise<QueueResult> {
    if (!this.#isOpen) {
      this.#isOpen = true;
      return Promise.resolve({ kind: 'ask', others: [] });
    }
    return new Promise((resolve) => {
      const waiting: QueuedCall = { method, calls, settle: resolve };
      this.#waiting.push(waiting);
      // If the call already has a result, this result has no effect.
      void aborted(until).then(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        resolve({ kind: 'undecided' });
      });
    });
  }

  /** Stores the open question. If the client never answers, the question blocks the queue until the question expires. */
  asked(id: string, others: readonly QueuedCall[]): void {
    this.#id = id;
    this.#others = others;
    this.#timer = setTimeout(() => this.decided(id, 'undecided'), consentMilliseconds);
    this.#timer.unref();
  }

  /** Ends the open question, also for the calls that joined the question. */
  decided(id: string, kind: 'agreed' | 'declined' | 'undecided'): void {
    if (this.#id !== id) return;
    for (const other of this.#others) other.settle({ kind });
    this.leave();
  }

  /** Lets the next call ask, also about the other waiting calls of its method. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#id = undefined;
    this.#others = [];
    this.#isOpen = false;
    const [next] = this.#waiting;
    if (!next) return;
    const others = this.#waiting.filter((one) => one !== next && one.method === next.method);
    this.#waiting = this.#waiting.filter((one) => one.method !== next.method);
    this.#isOpen = true;
    next.settle({ kind: 'ask', others });
  }
}
