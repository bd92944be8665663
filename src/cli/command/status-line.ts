import type { Io } from './io.ts';

/** A line on a terminal, which replaces the one before. */
export class StatusLine {
  readonly #io: Io;
  #isShown = false;

  constructor(io: Io) {
    this.#io = io;
  }

  show(text: string): void {
    this.#io.note(`\r\u001b[K${text.slice(0, (this.#io.columns ?? 80) - 1)}`);
    this.#isShown = true;
  }

  /** Removes the line. */
  end(): void {
    if (this.#isShown) this.#io.note('\r\u001b[K');
    this.#isShown = false;
  }
}
