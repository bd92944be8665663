import type { Outage } from '../types.ts';

/** Failures one after the other, each after a wait, that are an outage: one 503 is none. */
const outageFrom = 3;

/** Slows a worker down while all requests of a queue fail, and counts what fails one after the other. */
export class Gate {
  readonly #report: (outage: Outage | undefined) => void;
  #until = 0;
  #wait = 0;
  #lost = 0;
  #closed = 0;
  #since = 0;
  #answered = 0;
  #ownInARow = 0;
  /** Failures of each row, and how many requests had an answer at the last one. */
  readonly #failures = new Map<string, { count: number; answered: number }>();
  /** A worker that was killed may have left the report of an outage. */
  #isReported = true;

  /** @param report - receives an outage at each failed try, and `undefined` when it is over */
  constructor(report: (outage: Outage | undefined) => void = () => undefined) {
    this.#report = report;
  }

  /** Milliseconds until the next request. */
  get wait(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Another worker found that the service does not answer: this one waits, too, and tells when it has an answer. */
  rest(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds);
    this.#isReported = true;
  }

  /** A request had an answer. */
  open(): void {
    this.#answered += 1;
    this.#wait = 0;
    this.#lost = 0;
    this.#closed = 0;
    this.#ownInARow = 0;
    if (this.#isReported) this.#report(undefined);
    this.#isReported = false;
  }

  /**
   * No request could be sent: the next one waits twice as long, from 0.5 to 30 seconds.
   *
   * @param reason - what the service does: `cannot be reached`
   */
  close(reason: string): void {
    // Those that failed together count once.
    if (this.wait > 0) return;
    if (this.#closed === 0) this.#since = Date.now();
    this.#closed += 1;
    this.#wait = Math.min(Math.max(500, this.#wait * 2), 30_000);
    this.#until = performance.now() + this.#wait;
    if (this.#closed < outageFrom) return;
    this.#isReported = true;
    this.#report({ reason, since: new Date(this.#since), nextTry: new Date(Date.now() + this.#wait) });
  }

  /** Counts a failure of the service at a row, unless no request had an answer since the last one. Returns the count. */
  failAt(row: string): number {
    const { count, answered } = this.#failures.get(row) ?? { count: 0, answered: -1 };
    const next = { count: this.#answered > answered ? count + 1 : count, answered: this.#answered };
    this.#failures.set(row, next);
    return next.count;
  }

  /** The program itself failed at a row. Returns how often in a row. */
  failOwn(): number {
    this.#ownInARow += 1;
    return this.#ownInARow;
  }

  /** A reply was lost. Returns how many in a row. */
  lose(reason: string): number {
    this.#lost += 1;
    if (this.#lost > 3) this.close(reason);
    return this.#lost;
  }
}
