/** Pause in typing before a question is asked. */
const pauseMilliseconds = 120;

export interface Handlers<Answer> {
  ask(question: string): Promise<Answer>;
  show(answer: Answer, question: string): void;
  fail(error: unknown): void;
}

/** Asks questions as they are typed. Shows an answer only if no newer question was asked. */
export class LatestQuestion<Answer> {
  readonly #handlers: Handlers<Answer>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest = 0;

  constructor(handlers: Handlers<Answer>) {
    this.#handlers = handlers;
  }

  /** Asks after a pause. */
  later(question: string): void {
    this.cancel();
    this.#timer = setTimeout(() => this.now(question), pauseMilliseconds);
  }

  /** Asks at once. Resolves when the answer or failure was shown or has become stale. */
  async now(question: string): Promise<void> {
    this.cancel();
    const own = this.#latest;
    const { ask, show, fail } = this.#handlers;
    try {
      const answer = await ask(question);
      if (own === this.#latest) show(answer, question);
    } catch (error) {
      if (own === this.#latest) fail(error);
    }
  }

  /** Cancels the waiting or running question. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#latest += 1;
  }
}
