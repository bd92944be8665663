import type { JobStatus } from '../types.ts';

/** A look at a job. */
interface Look {
  at: number;
  /** Rows that have ended. */
  ended: number;
}

/** Where lines go. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** The rate is an average over this time. */
const rateMilliseconds = 30_000;
/** Between two lines if the output is not a terminal. */
const lineMilliseconds = 10_000;

/** Shows the progress of a job: one line that changes on a terminal, elsewhere a line from time to time. */
export class Progress {
  #looks: Look[] = [];
  #last = Number.NEGATIVE_INFINITY;
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  /** @param at - milliseconds since any fixed time */
  show(status: JobStatus, at: number): void {
    this.#looks = [...this.#looks.filter((look) => at - look.at <= rateMilliseconds), { at, ended: endedRows(status) }];
    const text = describeProgress(status, this.#rate());
    if (this.#output.isTTY) this.#output.write(`\r\x1b[K${text.slice(0, (this.#output.columns ?? 80) - 1)}`);
    else if (at - this.#last >= lineMilliseconds) {
      this.#last = at;
      this.#output.write(`${text}\n`);
    }
  }

  /** Removes the line that changes. */
  end(): void {
    if (this.#output.isTTY) this.#output.write('\r\x1b[K');
  }

  /** Rows per second, or `undefined` while it is not known. */
  #rate(): number | undefined {
    const [first] = this.#looks;
    const last = this.#looks.at(-1);
    if (!first || !last || last.at - first.at < 1_000) return undefined;
    return ((last.ended - first.ended) / (last.at - first.at)) * 1_000;
  }
}

function endedRows({ rows }: JobStatus): number {
  return rows.done + rows.refused + rows.unknown;
}

/**
 * Progress in one line.
 *
 * @param rate - rows per second
 */
export function describeProgress(status: JobStatus, rate?: number, now: number = Date.now()): string {
  const { name, total, rows, state, waitingUntil, workers, outage, lookups, begun } = status;
  const ended = endedRows(status);
  const percent = total === 0 ? 100 : Math.floor((ended / total) * 100);
  const left = rate ? (total - ended) / rate : undefined;
  const parts = [
    `${name}: ${format(ended)} of ${format(total)} rows (${percent} %)`,
    !rate ? '' : `${format(rate < 10 ? Number(rate.toFixed(1)) : Math.round(rate))} rows/s`,
    left === undefined || left === 0 ? '' : `${describeSeconds(left)} left`,
    rows.refused > 0 ? `${format(rows.refused)} refused` : '',
    rows.unknown > 0 ? `${format(rows.unknown)} unknown` : '',
    state === 'running' ? `${workers} ${workers === 1 ? 'worker' : 'workers'}` : state,
    begun ? `${format(begun)} begun` : '',
    outage
      ? `${outage.reason} since ${outage.since.toISOString()}${inSeconds(', next try in ', outage.nextTry, now)}`
      : '',
    lookups ? `${describeRows(lookups.rows)} for a lookup${inSeconds(', at most ', lookups.until, now)}` : '',
    waitingUntil ? `waiting until ${waitingUntil.toISOString()}` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** `1 row`, `2 rows`. */
export function describeCount(count: number): string {
  return count === 1 ? '1 row' : `${format(count)} rows`;
}

function describeRows(count: number): string {
  return count === 1 ? '1 row waits' : `${format(count)} rows wait`;
}

/** Nothing if the time has passed. */
function inSeconds(text: string, time: Date, now: number): string {
  return time.getTime() > now ? `${text}${describeSeconds((time.getTime() - now) / 1_000)}` : '';
}

export function describeSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

function format(number: number): string {
  return number.toLocaleString('en');
}
