import type { Io } from './io.ts';

/** The progress of a list on standard error: one line that is overwritten, on a terminal only. */
export class Progress {
  readonly #io: Io;
  #isShown = false;

  constructor(io: Io) {
    this.#io = io;
  }

  show(count: number, total: number | undefined): void {
    // Where the output itself is on the terminal, the line would be in between.
    if (!this.#io.isTerminal.error || this.#io.isTerminal.output) return;
    const of = total === undefined ? '' : ` of ${total.toLocaleString('en-GB')}`;
    this.#io.note(`\r${count.toLocaleString('en-GB')}${of} `);
    this.#isShown = true;
  }

  end(): void {
    if (this.#isShown) this.#io.note('\r\u001b[K');
    this.#isShown = false;
  }
}
