/**
 * Intervals of a worker in milliseconds: of looking at the jobs, which doubles up to `idle` while there is nothing to do, and of signs of
 * life.
 */
export const usualIntervals = { look: 500, idle: 2_000, life: 3_000 };

/** Those of this process. Tests shorten them. */
export const intervals = { ...usualIntervals };
