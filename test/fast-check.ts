import fc from 'fast-check';
import { amounts } from './support/amounts.ts';

/** How often a property is tried, from the number for a run while working. */
export function samples(count: number): number {
  return Math.ceil(count * amounts.sampleScale);
}

/** The same draws on every run, so that a run is red for what was changed; `FAST_CHECK_SEED=7` draws others. */
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_121), numRuns: samples(40) });

/**
 * Any character but half of one, as `unit` of `fc.string()`. fast-check's own `'binary'` draws the same, and first spends most of
 * a second on a map of all of Unicode.
 */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

export default fc;
