/** Counts failures of a job in this process, to tell a row that fails from a service or a program that fails. */
export class Failures {
  #answered = 0;
  /** Rows at which the program itself failed since the last answer. */
  readonly #ownRows = new Set<string>();
  readonly #ownFailures = new Map<string, number>();
  /** Number of failures of each row, and the number of answered requests at its last failure. */
  readonly #failures = new Map<string, { count: number; answered: number }>();

  /** Records that a lookup was answered. The service works in part. */
  answerLookup(): void {
    this.#answered += 1;
  }

  /** Records that a request that writes was answered. */
  answer(): void {
    this.#answered += 1;
    this.#ownRows.clear();
  }

  /** Counts a failure of the service at a row, unless no request was answered since its last failure. Returns the count. */
  failAt(row: string): number {
    const { count, answered } = this.#failures.get(row) ?? { count: 0, answered: -1 };
    const next = { count: this.#answered > answered ? count + 1 : count, answered: this.#answered };
    this.#failures.set(row, next);
    return next.count;
  }

  /**
   * Counts a failure of the program itself at a row.
   *
   * @returns `rows`: number of rows at which it failed since the last answered request; `times`: number of failures at this row;
   * `hasWorked`: whether any request was answered
   */
  failOwn(row: string): { rows: number; times: number; hasWorked: boolean } {
    this.#ownRows.add(row);
    const times = (this.#ownFailures.get(row) ?? 0) + 1;
    this.#ownFailures.set(row, times);
    return { rows: this.#ownRows.size, times, hasWorked: this.#answered > 0 };
  }
}
