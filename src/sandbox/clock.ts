/**
 * The sandbox's own time: it runs with the real one, or stands still, and can be put forward.
 *
 * @example
 * ```ts
 * import { createSandbox } from 'carillon/sandbox';
 *
 * const { clock } = createSandbox({ startAt: Date.UTC(2026, 10, 4) });
 * clock.freeze();
 * clock.advance(60 * 60 * 1_000);
 * console.log(new Date(clock.now()).toISOString()); // 2026-11-04T01:00:00.000Z
 * ```
 */
export interface Clock {
  /** The moment it is: milliseconds since 1970. */
  now(): number;
  /**
   * Puts the clock forward: tokens end, emails are delivered, quotas are free again.
   *
   * @param milliseconds - how far, 0 or more
   * @throws `RangeError` for a number below 0 and for one that is not finite
   */
  advance(milliseconds: number): void;
  /**
   * Stops the clock.
   *
   * @param at - the moment to stand at, in milliseconds since 1970; now where it is not given
   * @throws `RangeError` for a number that is not finite
   */
  freeze(at?: number): void;
  /** Lets a frozen clock run again from where it stands. */
  resume(): void;
}

export interface ClockState {
  /** Moment that a frozen clock stands at. */
  frozenAt: number | undefined;
  /** What a running clock is ahead of the real one. */
  ahead: number;
}

export class SandboxClock implements Clock {
  #state: ClockState;
  readonly #real: () => number;

  constructor(real: () => number, startAt?: number) {
    this.#real = real;
    this.#state = { frozenAt: undefined, ahead: startAt === undefined ? 0 : startAt - real() };
  }

  now(): number {
    return this.#state.frozenAt ?? this.#real() + this.#state.ahead;
  }

  advance(milliseconds: number): void {
    if (!(milliseconds >= 0 && Number.isFinite(milliseconds)))
      throw new RangeError('advance takes 0 milliseconds or more: time does not run back');
    if (this.#state.frozenAt === undefined) this.#state.ahead += milliseconds;
    else this.#state.frozenAt += milliseconds;
  }

  freeze(at = this.now()): void {
    if (!Number.isFinite(at)) throw new RangeError('freeze takes milliseconds since 1970');
    this.#state.frozenAt = at;
  }

  resume(): void {
    if (this.#state.frozenAt === undefined) return;
    this.#state = { ahead: this.#state.frozenAt - this.#real(), frozenAt: undefined };
  }

  save(): ClockState {
    return { ...this.#state };
  }

  load(state: ClockState): void {
    this.#state = { ...state };
  }
}
