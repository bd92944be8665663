import { ProgressLine, type ProgressOutput } from '../../shared/progress-line.ts';
import { describeRate, describeSeconds, Rate } from '../../shared/rate.ts';
import type { JobStatus } from '../types.ts';

/** Shows the progress of a job. */
export class Progress {
  readonly #rate = new Rate();
  readonly #line: ProgressLine;

  constructor(output: ProgressOutput) {
    this.#line = new ProgressLine(output);
  }

  /** @param at - milliseconds since any fixed time */
  show(status: JobStatus, at: number): void {
    this.#rate.add(endedRows(status), at);
    this.#line.show(describeProgress(status, this.#rate.perSecond), at);
  }

  end(): void {
    this.#line.end();
  }
}

function endedRows({ rows }: JobStatus): number {
  return rows.done + rows.rejected + rows.invalid + rows.unknown;
}

/**
 * Describes progress in one line.
 *
 * @param rate - rows per second
 */
export function describeProgress(status: JobStatus, rate?: number, now: number = Date.now()): string {
  const { name, total, rows, state, waitingUntil, workers, reason, lookups, begun, startAt, concurrency } = status;
  const ended = endedRows(status);
  const percent = total === 0 ? 100 : Math.floor((ended / total) * 100);
  const open = total - ended;
  // A lookup waits for a deadline, independently of the rate.
  const left = rate && open > (lookups?.rows ?? 0) ? open / rate : undefined;
  const parts = [
    `${name}: ${format(ended)} of ${format(total)} rows (${percent}%)`,
    rate ? describeRate(rate) : '',
    left === undefined ? '' : `${describeSeconds(left)} left`,
    rows.rejected > 0 ? `${format(rows.rejected)} rejected` : '',
    rows.invalid > 0 ? `${format(rows.invalid)} invalid` : '',
    rows.unknown > 0 ? `${format(rows.unknown)} unknown` : '',
    state === 'running' ? `${workers} ${workers === 1 ? 'worker' : 'workers'}` : state,
    status.rate === undefined ? '' : `at most ${status.rate.toLocaleString('en')} requests/s`,
    concurrency === undefined ? '' : `at most ${describeCount(concurrency)} in flight`,
    startAt ? `starts at ${startAt.toISOString()}` : '',
    begun ? `${format(begun)} begun` : '',
    state === 'running' && reason ? reason : '',
    lookups ? `${describeRows(lookups.rows)} for a lookup${inSeconds(lookups.until, now)}` : '',
    waitingUntil ? `waiting until ${waitingUntil.toISOString()}` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** Returns `1 row`, `2 rows` and so on. */
export function describeCount(count: number): string {
  return count === 1 ? '1 row' : `${format(count)} rows`;
}

function describeRows(count: number): string {
  return count === 1 ? '1 row waits' : `${format(count)} rows wait`;
}

/** Describes the time left. Returns an empty string if the time has passed. */
function inSeconds(time: Date, now: number): string {
  return time.getTime() > now ? `, at most ${describeSeconds((time.getTime() - now) / 1_000)}` : '';
}

export function format(number: number): string {
  return number.toLocaleString('en');
}
