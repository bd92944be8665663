import type { Outage } from '../types.ts';

/** Number of consecutive failures, each after a wait, that count as an outage. */
const outageFrom = 3;

/** Slows a worker down while all requests of a queue fail, and counts consecutive failures. */
export class Gate {
  readonly #report: (outage: Outage | undefined) => void;
  #until = 0;
  /** Until when another worker's report holds the requests. */
  #restUntil = 0;
  #wait = 0;
  #lost = 0;
  #closed = 0;
  #since = 0;
  #answered = 0;
  /** Rows at which the program itself failed since the last answer. */
  readonly #ownRows = new Set<string>();
  readonly #ownFailures = new Map<string, number>();
  /** Number of failures of each row, and the number of answered requests at its last failure. */
  readonly #failures = new Map<string, { count: number; answered: number }>();
  /** Initially `true`, because a killed worker may have left the report of an outage. */
  #isReported = true;

  /** @param report - called with the outage at each failed try, and with `undefined` at its end */
  constructor(report: (outage: Outage | undefined) => void = () => undefined) {
    this.#report = report;
  }

  /** Remaining wait before the next request, in milliseconds. */
  get wait(): number {
    return Math.max(0, this.#until - performance.now(), this.#restUntil - performance.now());
  }

  /** Waits because another worker found that the service does not answer. The first answer then reports the end of the outage. */
  rest(milliseconds: number): void {
    this.#restUntil = Math.max(this.#restUntil, performance.now() + milliseconds);
    this.#isReported = true;
  }

  /** Records that a lookup was answered. The service works in part, which does not end a failure of what it looks up. */
  answer(): void {
    this.#answered += 1;
  }

  /** Records that a request that writes was answered. */
  open(): void {
    this.#answered += 1;
    this.#until = 0;
    this.#restUntil = 0;
    this.#wait = 0;
    this.#lost = 0;
    this.#closed = 0;
    this.#ownRows.clear();
    if (this.#isReported) this.#report(undefined);
    this.#isReported = false;
  }

  /**
   * Records a failed request. Doubles the wait before the next one, from 0.5 to 30 seconds.
   *
   * @param reason - problem of the service, such as `cannot be reached`
   */
  close(reason: string): void {
    // Count concurrent failures once.
    if (this.#until > performance.now()) return;
    if (this.#closed === 0) this.#since = Date.now();
    this.#closed += 1;
    this.#wait = Math.min(Math.max(500, this.#wait * 2), 30_000);
    this.#until = performance.now() + this.#wait;
    if (this.#closed < outageFrom) return;
    this.#isReported = true;
    this.#report({ reason, since: new Date(this.#since), nextTry: new Date(Date.now() + this.#wait) });
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

  /** Counts a lost reply. */
  lose(reason: string): void {
    this.#lost += 1;
    if (this.#lost > 3) this.close(reason);
  }
}
