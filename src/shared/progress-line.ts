/** Stream that shows progress. */
export interface ProgressOutput {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** Milliseconds between two lines if the output is not a terminal. */
const lineMilliseconds = 10_000;

/** Shows progress. Updates a single line on a terminal. Otherwise, writes a line from time to time. */
export class ProgressLine {
  readonly #output: ProgressOutput;
  #last: number;
  #isShown = false;

  /**
   * @param since - start of the interval before the first line, if the output is not a terminal (default: the first line is
   * written at once)
   */
  constructor(output: ProgressOutput, since = Number.NEGATIVE_INFINITY) {
    this.#output = output;
    this.#last = since;
  }

  /** @param at - milliseconds since any fixed time */
  show(text: string, at: number): void {
    const { isTTY = false, columns = 80 } = this.#output;
    if (!isTTY && at - this.#last < lineMilliseconds) return;
    this.#last = at;
    this.#output.write(isTTY ? `\r\u001b[K${text.slice(0, columns - 1)}` : `${text}\n`);
    this.#isShown = isTTY;
  }

  /** Removes the line from a terminal. */
  end(): void {
    if (this.#isShown) this.#output.write('\r\u001b[K');
    this.#isShown = false;
  }
}
