/** Number of consecutive requests of a step without a certain outcome that may occur before only one row at a time is sent. */
const maxLostOpen = 3;

/** Number of consecutive requests of a step without a certain outcome after which the job pauses. */
const maxLost = 20;

/**
 * First and longest wait before another row is tried, in milliseconds. Each wait is twice as long as the previous one. Changed only by
 * tests.
 */
export const gateWaits = { first: 500, max: 30_000 };

/** Wait from which failures count as an outage, in milliseconds. */
const outageWait = 2_000;

/** A request without a certain outcome, or one that the service could not accept. */
export interface Failed {
  readonly step: string;
  /** Whether the request may have been processed. */
  readonly isLost: boolean;
  /** Problem with the service, such as `the service at api.example.com cannot be reached`. */
  readonly failure: string;
}

/**
 * Lets the rows of a job pass while the service responds. After several requests without a certain outcome, or if the service is down,
 * only one row at a time is tried, with growing waits. Only a response to a request of the same step ends this restriction.
 */
export class Gate {
  readonly #lost = new Map<string, number>();
  readonly #now: () => number;
  #wait: number | undefined;
  #until = 0;
  #isTrying = false;
  #since = 0;
  #reason = '';

  /** @param now - returns a monotonic time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until a row may start, or `undefined` while a row is being tried. */
  get wait(): number | undefined {
    if (this.#wait === undefined) return 0;
    return this.#isTrying ? undefined : Math.max(0, this.#until - this.#now());
  }

  get isClosed(): boolean {
    return this.#wait !== undefined;
  }

  /** Problem with the service and its start, if the outage has lasted for some time. */
  get outage(): { reason: string; since: number } | undefined {
    if (this.#wait === undefined || this.#wait < outageWait) return undefined;
    return { reason: this.#reason, since: this.#since };
  }

  start(): void {
    if (this.#wait !== undefined) this.#isTrying = true;
  }

  /** Records that the service responded to a request. */
  responded(step: string): void {
    this.#isTrying = false;
    this.#lost.delete(step);
    if (this.#lost.size === 0) this.open();
    else this.#until = this.#now() + (this.#wait ?? 0);
  }

  /** Records that the row that was tried has sent nothing. */
  pass(): void {
    if (!this.#isTrying) return;
    this.#isTrying = false;
    this.#until = this.#now() + (this.#wait ?? 0);
  }

  /**
   * Records that a request failed.
   *
   * @returns why the job should pause, or `undefined`
   */
  fail({ step, isLost, failure }: Failed): string | undefined {
    const lost = (this.#lost.get(step) ?? 0) + (isLost ? 1 : 0);
    // Without lost requests, an entry says only that the step needs a response.
    this.#lost.set(step, lost);
    if (this.#since === 0) this.#since = Date.now();
    this.#reason = failure;
    if (!isLost || lost > maxLostOpen || this.#wait !== undefined) {
      // Requests that were in flight when the outage began do not increase the wait.
      if (this.#wait === undefined) this.#close(gateWaits.first);
      else if (this.#isTrying) this.#close(Math.min(this.#wait * 2, gateWaits.max));
    }
    this.#isTrying = false;
    return lost >= maxLost
      ? `${lost} consecutive requests had no certain outcome (step ${step}). Check the service, then resume the job`
      : undefined;
  }

  open(): void {
    this.#lost.clear();
    this.#wait = undefined;
    this.#isTrying = false;
    this.#since = 0;
  }

  #close(wait: number): void {
    this.#wait = wait;
    this.#until = this.#now() + wait;
  }
}
