import { onTestFinished } from 'vitest';
import { intervals, usualIntervals } from '../../src/jobs/work/intervals.ts';

/** Gives the workers of a test the intervals that users' workers have, because it counts what they do. */
export function useUsualIntervals(): void {
  const short = { ...intervals };
  Object.assign(intervals, usualIntervals);
  onTestFinished(() => void Object.assign(intervals, short));
}
