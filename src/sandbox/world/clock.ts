/**
 * The sandbox's own clock. The clock runs with real time or is frozen, and it can be advanced.
 *
 * @example
 * ```ts
 * import { createSandbox } from 'carillon-sandbox';
 *
 * const { clock } = createSandbox({ startAt: Date.UTC(2026, 10, 4) });
 * clock.freeze();
 * clock.advance(60 * 60 * 1_000);
 * console.log(new Date(clock.now()).toISOString()); // 2026-11-04T01:00:00.000Z
 * ```
 */
export interface Clock {
  /** Returns the current time of this clock, in milliseconds since 1970. */
  now(): number;
  /** Whether the clock is frozen. */
  readonly isFrozen: boolean;
  /**
   * Advances the clock. As time passes, tokens expire, emails are delivered and quotas are renewed.
   *
   * @param milliseconds - how far to advance, 0 or more
   * @throws `RangeError` if the number is negative or not finite, or if the clock would pass the year 9998
   */
  advance(milliseconds: number): void;
  /**
   * Freezes the clock.
   *
   * @param at - the time at which to freeze the clock, in milliseconds since 1970 (default: the current time of this clock)
   * @throws `RangeError` if the time is more than a minute before the current time of this clock, which cannot run backwards, or after
   * the year 9998
   */
  freeze(at?: number): void;
  /** Resumes a frozen clock at the time at which it was frozen. */
  resume(): void;
}

/** State of a clock in a snapshot. */
export interface ClockState {
  /** Time of a frozen clock; `undefined` while the clock runs. */
  frozenAt: number | undefined;
  /** Milliseconds by which a running clock is ahead of real time. */
  ahead: number;
}

/** Milliseconds by which `freeze` can set a running clock back, so that callers can pass a time that they read earlier. */
const tolerance = 60_000;

/** Exclusive upper bound of the clock. Dates derived from the clock, such as an expiry, still have a four-digit year. */
const end = Date.UTC(9999, 0);

/**
 * Checks a time for the clock.
 *
 * @throws `RangeError` if the date formats of the service cannot express the time
 */
function checkTime(name: string, time: number): number {
  if (typeof time !== 'number' || !(time >= 0 && time < end))
    throw new RangeError(
      `${name}: the time must be in milliseconds since 1970, up to the end of the year 9998 (${end - 1})`,
    );
  return time;
}

export class SandboxClock implements Clock {
  #state: ClockState;
  readonly #real: () => number;
  /** Called with a new state before the state is set. If the listener throws, the clock does not change. */
  listener: ((state: ClockState) => void) | undefined;

  constructor(real: () => number, startAt?: number) {
    this.#real = real;
    this.#state = { frozenAt: undefined, ahead: startAt === undefined ? 0 : checkTime('startAt', startAt) - real() };
  }

  now(): number {
    return this.timeOf(this.#state);
  }

  get isFrozen(): boolean {
    return this.#state.frozenAt !== undefined;
  }

  advance(milliseconds: number): void {
    if (!(Number.isFinite(milliseconds) && milliseconds >= 0))
      throw new RangeError('advance: milliseconds must be 0 or more, because the clock cannot run backwards');
    checkTime('advance', this.now() + milliseconds);
    const { frozenAt, ahead } = this.#state;
    this.#set(
      frozenAt === undefined ? { frozenAt, ahead: ahead + milliseconds } : { frozenAt: frozenAt + milliseconds, ahead },
    );
  }

  freeze(at = this.now()): void {
    checkTime('freeze', at);
    // A millisecond may have passed since the caller read the clock.
    if (at < this.now() - tolerance)
      throw new RangeError(
        `freeze: the clock cannot run backwards from ${this.now()} to ${at}. To start the clock earlier, set startAt.`,
      );
    this.#set({ ...this.#state, frozenAt: at });
  }

  resume(): void {
    if (this.#state.frozenAt === undefined) return;
    this.#set({ ahead: this.#state.frozenAt - this.#real(), frozenAt: undefined });
  }

  save(): ClockState {
    return { ...this.#state };
  }

  /** Sets a stored state without calling the listener. */
  load(state: ClockState): void {
    this.check(state);
    this.#state = { ...state };
  }

  /** Returns the time of a state. */
  timeOf({ frozenAt, ahead }: ClockState): number {
    return frozenAt ?? this.#real() + ahead;
  }

  /** @throws `RangeError` if the date formats of the service cannot express the time of a state */
  check(state: ClockState): void {
    checkTime('clock', this.timeOf(state));
  }

  #set(state: ClockState): void {
    this.listener?.(state);
    this.#state = state;
  }
}
