import type { Gate } from './gate.ts';
import type { Held } from './send-row.ts';

/** Longest wait of a job, in milliseconds, during which its rows stay in this worker. */
export const maxHeldWait = 5_000;

/** Milliseconds of work in one claim. */
const claimSpan = 100;

const maxClaim = 500;

/** First wait in milliseconds while other workers use up the concurrency of a job. Each wait is twice as long as the previous one. */
const firstFullWait = 50;
const maxFullWait = 1_000;

/** Rows of a job in this worker, with the waits of the job. All times are values of `performance.now()`. */
export class JobPlaces {
  readonly gate: Gate;
  /** Rows that wait for a free place, in the order in which they are sent. */
  readonly waiting: { held: Held; from: number }[] = [];
  /** Number of rows that are being sent, including rows that wait for their turn without occupying a place. */
  inFlight = 0;
  isClaiming = false;
  /** Whether the job may have planned rows. */
  hasPlanned = true;
  restUntil = 0;
  #fullWait = 0;
  /** Average duration of a row in milliseconds, from its start to its end. */
  #duration: number | undefined;

  constructor(gate: Gate) {
    this.gate = gate;
  }

  canStart(now: number): boolean {
    if (this.gate.isClosed && (this.inFlight > 0 || this.gate.wait !== 0)) return false;
    return this.restUntil <= now && this.waiting.some(({ from }) => from <= now);
  }

  /** Adds the rows of a claim at the end. With `places`, inserts a row that is tried again after the first `places` waiting rows. */
  add(rows: readonly Held[], from: number, places?: number): void {
    const added = rows.map((held) => ({ held, from: Math.max(from, held.turn) }));
    if (places === undefined) this.waiting.push(...added);
    else this.waiting.splice(places, 0, ...added);
  }

  /** Ends all waits for turns. */
  endWaits(): void {
    this.restUntil = 0;
    for (const each of this.waiting) each.from = 0;
  }

  take(now: number): Held | undefined {
    const index = this.waiting.findIndex(({ from }) => from <= now);
    return index === -1 ? undefined : this.waiting.splice(index, 1)[0]?.held;
  }

  /** Milliseconds until the next row may start, if that depends only on time. */
  wait(now: number): number | undefined {
    if (this.waiting.length === 0 || (this.gate.isClosed && this.inFlight > 0)) return undefined;
    const first = Math.min(...this.waiting.map(({ from }) => from));
    return Math.max(0, this.gate.wait ?? 0, this.restUntil - now, first - now);
  }

  ended(milliseconds: number): void {
    this.#duration = this.#duration === undefined ? milliseconds : this.#duration * 0.9 + milliseconds * 0.1;
    this.#fullWait = 0;
  }

  /** Starts a wait, because other workers have as many rows in flight as the job allows. */
  restFull(now: number): void {
    this.#fullWait = Math.min(Math.max(firstFullWait, this.#fullWait * 2), maxFullWait);
    this.restUntil = Math.max(this.restUntil, now + this.#fullWait);
  }

  /**
   * Number of rows to claim: about 100 ms of work, and at least one for each free place.
   *
   * @param places - number of rows of the job that this worker can send at the same time
   */
  claimSize(places: number, free: number): number {
    const size =
      this.#duration === undefined ? places : Math.ceil((places * claimSpan) / Math.max(this.#duration, 0.1));
    return Math.min(maxClaim, Math.max(size, Math.min(free, places)));
  }

  /** Whether to claim rows: at most half a claim of rows is waiting. */
  needsRows(places: number, free: number, now: number): boolean {
    if (this.isClaiming || !this.hasPlanned || this.restUntil > now) return false;
    if (this.gate.isClosed) return this.waiting.length === 0 && this.gate.wait === 0 && this.inFlight === 0;
    return this.waiting.length <= this.claimSize(places, free) / 2;
  }
}
