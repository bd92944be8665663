/** Period over which the rate is averaged. */
const rateMilliseconds = 30_000;

/** Rate at which a count grows. */
export class Rate {
  #looks: { at: number; count: number }[] = [];

  /** @param at - milliseconds since any fixed time */
  add(count: number, at: number): void {
    this.#looks = [...this.#looks.filter((look) => at - look.at <= rateMilliseconds), { at, count }];
  }

  /** Rate per second, or `undefined` while there is not enough data. */
  get perSecond(): number | undefined {
    const [first] = this.#looks;
    const last = this.#looks.at(-1);
    if (!first || !last || last.at - first.at < 1_000) return undefined;
    return ((last.count - first.count) / (last.at - first.at)) * 1_000;
  }
}

/** Formats a rate, such as `310 rows/s` or `0.5 rows/s`. */
export function describeRate(perSecond: number): string {
  const rate = perSecond < 10 ? Number(perSecond.toFixed(1)) : Math.round(perSecond);
  return `${rate.toLocaleString('en')} rows/s`;
}

/** Formats a duration, such as `2 h 5 min`, `3 min 20 s` or `8 s`. */
export function describeSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
