/**
 * Intervals of a worker in milliseconds: of looking at the jobs, which doubles up to `idle` while there is nothing to do, of signs of life,
 * and of checks for jobs that are not for this program.
 */
export const usualIntervals = { look: 500, idle: 2_000, life: 3_000, others: 5_000 };

/** Those of this process. Tests shorten them. */
export const intervals = { ...usualIntervals };
