/** The median of a series of measurements and its quartiles. */
export interface Summary {
  median: number;
  /** The first quartile. */
  low: number;
  /** The third quartile. */
  high: number;
  /** Number of measurements. */
  runs: number;
}

export function summarize(values: readonly number[]): Summary {
  if (values.length === 0) throw new RangeError('There are no values to summarize');
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    runs: sorted.length,
  };
}

/** Interpolates linearly between two measurements. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position % 1);
}

/** The interquartile range. */
export function spread({ low, high }: Summary): number {
  return high - low;
}

/** Bounds of a confidence interval. */
export interface Interval {
  low: number;
  high: number;
}

/** How a subject compares to a baseline. */
export interface Comparison {
  /** Ratio to the baseline. */
  ratio: number;
  /** 95 % confidence interval of the ratio. Missing for exact figures, and after too few rounds. */
  interval?: Interval;
  /** Missing for exact figures. */
  verdict?: Verdict;
}

/**
 * - `tie`: the interval contains 1, and stays within 5 % of it
 * - `undecided`: it contains 1 and is wider, or there is no interval
 * - `differs`: it does not contain 1
 */
export type Verdict = 'tie' | 'undecided' | 'differs';

const confidence = 0.95;
/** Largest distance from 1 that the interval of a tie may reach. */
const tieWidth = 0.05;

/**
 * Compares measurements, or two exact figures. Series of equal length were measured in turn, so their ratio is the median
 * of the ratios per round: a disturbance longer than a round affects both. Other series are compared by their medians.
 */
export function compare(one: number | readonly number[], other: number | readonly number[]): Comparison {
  if (typeof one === 'number' && typeof other === 'number') return { ratio: one / other };
  const values = [one].flat();
  const baseline = [other].flat();
  const isPaired = values.length === baseline.length;
  const ratios = values.map((value, round) => value / (baseline[round] ?? Number.NaN));
  const ratio = isPaired ? summarize(ratios).median : summarize(values).median / summarize(baseline).median;
  const interval = isPaired ? medianInterval(ratios, confidence) : unpairedInterval(values, baseline);
  return { ratio, ...(interval && { interval }), verdict: judge(interval) };
}

export function judge(interval: Interval | undefined): Verdict {
  if (!interval) return 'undecided';
  const { low, high } = interval;
  if (low > 1 || high < 1) return 'differs';
  return low >= 1 - tieWidth && high <= 1 + tieWidth ? 'tie' : 'undecided';
}

/**
 * The confidence interval of a median, from the order of the values alone, for any distribution. Each value is below the
 * true median with probability 1/2, so the binomial distribution gives the number of values to drop at both ends.
 * `undefined` if even the smallest and largest value do not reach the confidence: at 95 %, with 5 values or fewer.
 */
export function medianInterval(values: readonly number[], confidence: number): Interval | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  const maxOutside = (1 - confidence) / 2;
  let leftOut = -1;
  /** Probability of exactly `heads` values below the median, and of at most `heads`. */
  let chance = 0.5 ** count;
  let sum = chance;
  for (let heads = 0; sum <= maxOutside; heads += 1) {
    leftOut = heads;
    chance *= (count - heads) / (heads + 1);
    sum += chance;
  }
  const low = sorted[leftOut];
  const high = sorted[count - 1 - leftOut];
  return low === undefined || high === undefined ? undefined : { low, high };
}

/**
 * The interval of the ratio of two medians that were not measured in turn. Both medians lie in their intervals with at
 * least 95 % if each does with 97.5 % (Bonferroni). It is wider than an interval from rounds.
 */
function unpairedInterval(values: readonly number[], baseline: readonly number[]): Interval | undefined {
  const each = 1 - (1 - confidence) / 2;
  const own = medianInterval(values, each);
  const other = medianInterval(baseline, each);
  return own && other && { low: own.low / other.high, high: own.high / other.low };
}
