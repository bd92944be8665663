/**
 * Jobs that outlive machines: bulk work on Postgres that many machines share, and that never sends twice on its own. Requires
 * Node 22.12, `pg` and `pg-boss`.
 *
 * @module carillon/jobs
 */
export { LookupUnclearError } from '../journal/outcome.ts';
export { defineJob } from './define-job.ts';
export { JobsError } from './jobs-error.ts';
export { openJobs } from './open-jobs.ts';
export type * from './types.ts';
