import { describe, expect, test, vi } from 'vitest';
import { startStopwatch } from '../../../src/jobs/waiting.ts';
import { markLifetime } from '../../../src/jobs/work/attempt.ts';

/** Starts a stopwatch, and moves the two clocks by some milliseconds. */
function measure(monotonic: number, wall: number): number {
  const clocks = [vi.spyOn(performance, 'now').mockReturnValue(1_000), vi.spyOn(Date, 'now').mockReturnValue(9_000)];
  const stopwatch = startStopwatch();
  clocks[0]?.mockReturnValue(1_000 + monotonic);
  clocks[1]?.mockReturnValue(9_000 + wall);
  return stopwatch();
}

describe('a duration that protects', () => {
  test.each([
    ['a machine that slept, whose monotonic clock stood still', 10, 60_000, 60_000],
    ['a wall clock that was set back', 700, -3_600_000, 700],
  ])('counts the larger of two clocks: %s', (_, monotonic, wall, expected) => {
    expect(measure(monotonic, wall)).toBe(expected);
  });

  test('a claim lets a request leave for five seconds, and for half of a short deadline', () => {
    expect([60_000, 10_000, 1_000].map(markLifetime)).toEqual([5_000, 5_000, 500]);
  });
});
