import fc from 'fast-check';

/** How many times more samples `npm run test:nightly` draws than a run while working. */
const scale = Number(process.env.FAST_CHECK_SCALE ?? 1);

/** How often a property is tried, from the number for a run while working. */
export function samples(count: number): number {
  return Math.ceil(count * scale);
}

/** The same draws on every run, so that a run is red for what was changed; `FAST_CHECK_SEED=7` draws others. */
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_121), numRuns: samples(100) });

export default fc;
