import { day } from './dates.ts';
import { randomAt } from './random.ts';

/** Input for the seeds. The same source produces the same data. */
export interface SeedSource {
  /** Number of contacts, emails and other records to add to the small data set. */
  size: number;
  /** The sandbox's clock, in milliseconds since 1970. */
  now: number;
  /** Milliseconds to add to the times in the example story (spec/README.md). Can be negative. */
  shift: number;
  /** Returns the next number of a sequence, from 0 (inclusive) to 1 (exclusive). All sandboxes have the same sequence. */
  random(): number;
}

/** Times of the example story (spec/README.md): its beginning, its emails and its end. */
export const storyBegins = Date.UTC(2026, 10, 2, 9, 30);
export const storySent = Date.UTC(2026, 10, 3, 10);
export const storyEnds = Date.UTC(2026, 10, 3, 10, 30);

export function seedSource(size: number, now: number): SeedSource {
  let place = 0;
  return { size, now, shift: storyShift(now), random: () => randomAt(1, ++place) };
}

/**
 * Returns the shift that moves the story with the clock. If the clock is at least two days later than the end of the story, the
 * story moves forward in whole days, so that its emails are less than a day old and their bounces are listed. If the clock is
 * earlier than the end of the story, the story moves back, so that no event is in the future.
 */
function storyShift(now: number): number {
  if (now < storyEnds) return now - storyEnds;
  return now < storyEnds + 2 * day ? 0 : Math.floor((now - storySent) / day) * day;
}
