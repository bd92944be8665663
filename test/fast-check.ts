import fc from 'fast-check';

/** The same draws on every run, so that a run is red for what was changed; `FAST_CHECK_SEED=7` draws others. */
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_121) });

export default fc;
