import type { JobStatus } from '../types.ts';

/** Exit code of a command that waits for a job: 0 if all rows are done, 4 if it is paused, and 1 if problems are left or it has not ended. */
export function exitCodeOf({ state, rows }: Pick<JobStatus, 'state' | 'rows'>): number {
  if (state === 'paused') return 4;
  return state === 'finished' && rows.rejected + rows.invalid + rows.unknown === 0 ? 0 : 1;
}
