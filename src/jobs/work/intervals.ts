/**
 * Intervals of a worker in milliseconds. `look`: between two queries of the jobs; the interval doubles up to `idle` while there is
 * nothing to do. `life`: between two heartbeats.
 */
export const usualIntervals = { look: 500, idle: 2_000, life: 3_000 };

/** Intervals of this process. Tests shorten them. */
export const intervals = { ...usualIntervals };
