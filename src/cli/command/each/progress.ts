import { describeRate, describeSeconds, Rate } from '../../../shared/rate.ts';
import type { Io } from '../io.ts';

/** Time between two lines if standard error is not a terminal. */
const lineMilliseconds = 10_000;
/** Time between two updates of the line on a terminal. */
const stateMilliseconds = 100;

/**
 * Shows the progress of rows on standard error. On a terminal it updates one line, and elsewhere it writes a line from time
 * to time.
 */
export class RowProgress {
  readonly #io: Io;
  readonly #rate = new Rate();
  #last: number;
  #isShown = false;

  constructor(io: Io, now: number = performance.now()) {
    this.#io = io;
    this.#last = now;
    this.#rate.add(0, now);
  }

  /**
   * @param count - number of rows that have ended
   * @param rejected - number of rejected rows
   * @param lost - number of rows without a response, which wait for their look-up
   */
  show(count: number, total: number, rejected: number, lost = 0, now: number = performance.now()): void {
    const isLine = !this.#io.isTerminal.error;
    if (now - this.#last < (isLine ? lineMilliseconds : stateMilliseconds)) return;
    this.#last = now;
    this.#rate.add(count, now);
    const text = describeRows(count, total, this.#rate.perSecond, rejected, lost);
    if (isLine) this.#io.note(`${text}\n`);
    else this.#io.note(`\r\u001b[K${text.slice(0, (this.#io.columns ?? 80) - 1)}`);
    this.#isShown = !isLine;
  }

  /** Removes the line. */
  end(): void {
    if (this.#isShown) this.#io.note('\r\u001b[K');
    this.#isShown = false;
  }
}

/** `1,204 of 100,000 rows (1 %), 310 rows/s, 5 min 20 s left`. */
function describeRows(count: number, total: number, rate = 0, rejected = 0, lost = 0): string {
  const parts = [
    `${count.toLocaleString('en')} of ${total.toLocaleString('en')} rows (${Math.floor((count / total) * 100)} %)`,
    rate > 0 ? describeRate(rate) : '',
    rate > 0 && total > count ? `${describeSeconds((total - count) / rate)} left` : '',
    rejected > 0 ? `${rejected.toLocaleString('en')} rejected` : '',
    lost > 0 ? `${lost.toLocaleString('en')} without a response, to be looked up` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
