/**
 * Intervals of a worker in milliseconds: of looking at the jobs, which doubles up to `idle` while there is nothing to do, of
 * heartbeats, of checks of other workers and jobs, and of removed jobs; and the time in which living workers come back to a database
 * that went back.
 */
export const usualIntervals = { look: 500, idle: 2_000, life: 3_000, others: 5_000, prune: 60_000, back: 10_000 };

/** Those of this process. Tests shorten them. */
export const intervals = { ...usualIntervals };
