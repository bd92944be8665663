import { expect, test } from 'vitest';
import { compare, judge, medianInterval } from '../../../scripts/bench/statistics.ts';

/** Rounds with the given median. Every other round is lower and every other one higher by a share of it. */
const rounds = (median: number, noise: number, count = 251): number[] =>
  Array.from({ length: count }, (_, round) => median * (1 + (noise * ((round % 11) - 5)) / 5));
const flat = (median: number, count = 251): number[] => Array.from({ length: count }, () => median);

test.each([
  [0.5, 'differs'],
  [1, 'tie'],
  [1.7, 'differs'],
])('%d × the median of the baseline has the same verdict in quiet and noisy rounds', (times, verdict) => {
  for (const noise of [0, 0.02, 0.1]) {
    const comparison = compare(rounds(10 * times, noise), flat(10));
    expect(comparison.ratio).toBeCloseTo(times);
    expect([noise, comparison.verdict]).toEqual([noise, verdict]);
  }
});

test('13.4 µs never ties with 7.89 µs, even in noisy rounds', () => {
  for (const noise of [0.05, 0.3, 0.6]) {
    expect(compare(rounds(13.4, noise), flat(7.89))).toMatchObject({
      ratio: expect.closeTo(1.7, 1),
      verdict: 'differs',
    });
  }
});

test.each([
  [{ low: 0.96, high: 1.04 }, 'tie'],
  [{ low: 0.95, high: 1.05 }, 'tie'],
  [{ low: 1, high: 1 }, 'tie'],
  [{ low: 0.94, high: 1.02 }, 'undecided'],
  [{ low: 0.99, high: 1.06 }, 'undecided'],
  [{ low: 0.5, high: 2 }, 'undecided'],
  [{ low: 1.01, high: 1.02 }, 'differs'],
  [{ low: 0.8, high: 0.99 }, 'differs'],
  [undefined, 'undecided'],
] as const)('the interval %j means %s', (interval, verdict) => {
  expect(judge(interval)).toBe(verdict);
});

// The ranks from the usual tables for the median: the binomial distribution with p = 1/2.
test.each([
  [5, undefined],
  [6, { low: 1, high: 6 }],
  [8, { low: 1, high: 8 }],
  [9, { low: 2, high: 8 }],
  [10, { low: 2, high: 9 }],
  [15, { low: 4, high: 12 }],
  [20, { low: 6, high: 15 }],
  [25, { low: 8, high: 18 }],
  [100, { low: 40, high: 61 }],
])('of %i measurements, the interval of the median is that of the binomial distribution', (count, interval) => {
  const values = Array.from({ length: count }, (_, at) => count - at);
  expect(medianInterval(values, 0.95)).toEqual(interval);
});

test('the interval contains the true median in at least 95 of 100 series', () => {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (const count of [7, 25, 60]) {
    let hits = 0;
    for (let series = 0; series < 2_000; series += 1) {
      // Squared, because the distribution is then asymmetric. Its median is 1/4.
      const { low = 1, high = 0 } =
        medianInterval(
          Array.from({ length: count }, () => random() ** 2),
          0.95,
        ) ?? {};
      if (low <= 0.25 && 0.25 <= high) hits += 1;
    }
    expect(hits / 2_000).toBeGreaterThan(0.94);
  }
});

test('the ratio of series measured in turn comes from each round, regardless of changes in between', () => {
  const baseline = [10, 200, 30, 10, 20, 100, 50];
  const comparison = compare(
    baseline.map((value) => 1.1 * value),
    baseline,
  );
  expect(comparison.ratio).toBeCloseTo(1.1);
  expect(comparison.interval).toEqual({ low: expect.closeTo(1.1), high: expect.closeTo(1.1) });
});

test('the interval of series not measured in turn comes from both medians', () => {
  const comparison = compare(rounds(20, 0.1, 20), rounds(10, 0.1, 30));
  expect(comparison).toMatchObject({ ratio: expect.closeTo(2, 1), verdict: 'differs' });
  expect(comparison.interval?.low).toBeLessThan(1.95);
  expect(comparison.interval?.high).toBeGreaterThan(2.05);
});

test('too few rounds give no verdict', () => {
  expect(compare([30, 30, 30], [10, 10, 10])).toEqual({ ratio: 3, verdict: 'undecided' });
  expect(compare([30, 30, 30, 30, 30, 30, 30], [10])).toEqual({ ratio: 3, verdict: 'undecided' });
});

test('exact figures have a ratio but no interval', () => {
  expect(compare(6, 4)).toEqual({ ratio: 1.5 });
});
