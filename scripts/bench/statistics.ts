/** A series of measurements: its middle, and the middle half around it. */
export interface Summary {
  median: number;
  /** The first quartile. */
  low: number;
  /** The third quartile. */
  high: number;
  /** How many measurements there were. */
  runs: number;
}

export function summarize(values: readonly number[]): Summary {
  if (values.length === 0) throw new RangeError('There is nothing to summarize');
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    runs: sorted.length,
  };
}

/** Between two measurements it is the point on the line that joins them. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position % 1);
}

/** The interquartile range: how far apart the measurements of the middle half lie. */
export function spread({ low, high }: Summary): number {
  return high - low;
}

/**
 * How many times the one is the other. Measured in turn, it is the median of the ratios of each round: what disturbs the
 * machine for longer than a round disturbs both.
 */
export function compare(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length) return summarize(one).median / summarize(other).median;
  return summarize(one.map((value, round) => value / (other[round] ?? Number.NaN))).median;
}

/** Whether two medians differ by no more than the measurements of one of them do. */
export function isTie(one: Summary, other: Summary): boolean {
  return Math.abs(one.median - other.median) <= Math.max(spread(one), spread(other));
}
