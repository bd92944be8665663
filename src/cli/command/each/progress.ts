import { ProgressLine } from '../../../shared/progress-line.ts';
import { describeRate, describeSeconds, Rate } from '../../../shared/rate.ts';
import { type Io, noteOutput } from '../io.ts';

/** Shows the progress of rows on standard error. */
export class RowProgress {
  readonly #rate = new Rate();
  readonly #line: ProgressLine;

  constructor(io: Io, now: number = performance.now()) {
    this.#line = new ProgressLine(noteOutput(io), now);
    this.#rate.add(0, now);
  }

  /**
   * @param count - number of rows that have ended
   * @param rejected - number of rejected rows
   * @param lost - number of rows without a response, which are yet to be looked up
   */
  show(count: number, total: number, rejected: number, lost = 0, now: number = performance.now()): void {
    this.#rate.add(count, now);
    this.#line.show(describeRows(count, total, this.#rate.perSecond, rejected, lost), now);
  }

  /** Removes the progress line. */
  end(): void {
    this.#line.end();
  }
}

/** Describes progress, such as `1,204 of 100,000 rows (1%), 310 rows/s, 5 min 20 s left`. */
function describeRows(count: number, total: number, rate = 0, rejected = 0, lost = 0): string {
  const parts = [
    `${count.toLocaleString('en')} of ${total.toLocaleString('en')} rows (${Math.floor((count / total) * 100)}%)`,
    rate > 0 ? describeRate(rate) : '',
    rate > 0 && total > count ? `${describeSeconds((total - count) / rate)} left` : '',
    rejected > 0 ? `${rejected.toLocaleString('en')} rejected` : '',
    lost > 0 ? `${lost.toLocaleString('en')} without a response, to be looked up` : '',
  ];
  return parts.filter(Boolean).join(', ');
}
