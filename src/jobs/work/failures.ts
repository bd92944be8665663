/** Counts failures of a job in this process, to distinguish a failing row from a failing service or program. */
export class Failures {
  #responses = 0;
  /** Rows on which the program itself failed since the last response. */
  readonly #ownRows = new Set<string>();
  readonly #ownFailures = new Map<string, number>();
  /** Number of failures by row, and the number of responses at the last failure of the row. */
  readonly #failures = new Map<string, { count: number; responses: number }>();

  /** Records a response to a lookup. The service works at least partly. */
  lookupResponded(): void {
    this.#responses += 1;
  }

  /** Records a response to a request that writes. */
  responded(): void {
    this.#responses += 1;
    this.#ownRows.clear();
  }

  /** Counts a failure of the service on a row, unless there was no response since the last failure of the row. Returns the count. */
  failAt(row: string): number {
    const { count, responses } = this.#failures.get(row) ?? { count: 0, responses: -1 };
    const next = { count: this.#responses > responses ? count + 1 : count, responses: this.#responses };
    this.#failures.set(row, next);
    return next.count;
  }

  /**
   * Counts a failure of the program itself while it processed a row.
   *
   * @returns `rows`: number of rows on which the program failed since the last response; `times`: number of failures on this row;
   * `hasWorked`: whether there was any response
   */
  failOwn(row: string): { rows: number; times: number; hasWorked: boolean } {
    this.#ownRows.add(row);
    const times = (this.#ownFailures.get(row) ?? 0) + 1;
    this.#ownFailures.set(row, times);
    return { rows: this.#ownRows.size, times, hasWorked: this.#responses > 0 };
  }
}
