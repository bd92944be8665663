/** How long a reader has to pause before a question is asked. */
const pauseMilliseconds = 120;

export interface Handlers<Answer> {
  ask(question: string): Promise<Answer>;
  show(answer: Answer, question: string): void;
  fail(error: unknown): void;
}

/** Asks questions while they are typed. An answer is shown only if no question has come after it. */
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

  /** Asks at once. Resolves when the answer, or the failure, was shown or has become stale. */
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

  /** Forgets the question that waits or is being answered. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#latest += 1;
  }
}
