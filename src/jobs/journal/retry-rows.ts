import { JobsError } from '../jobs-error.ts';
import type { RetryChoice } from '../types.ts';
import type { Opened } from './change-job.ts';
import type { Database } from './database.ts';
import { findJob } from './read-jobs.ts';

/**
 * Plans chosen rows again with the same values: those that the service refused, and unknown ones if a person knows that they were
 * not done.
 *
 * @throws `JobsError` if none of the chosen rows can be sent again
 */
export async function retryRows(
  db: Database,
  name: string,
  { rows: chosen, code, isNotDone = false }: RetryChoice,
): Promise<Opened> {
  const { id, state } = await findJob(db, name);
  if (state === 'cancelled') throw new JobsError('The job was cancelled: plan a new one.');
  const keys = chosen === 'all' ? [] : chosen.filter((row) => typeof row === 'string');
  const lines = chosen === 'all' ? [] : chosen.filter((row) => typeof row !== 'string');
  const wrong = lines.find(([first, last]) => !(first > 0 && last >= first && last < 2 ** 31 - 1));
  if (wrong) throw new JobsError(`${wrong.join('-')} are not lines.`);
  const { rows } = await db.pool.query<{ count: number; chunks: number[] | null; corrected: number; unknown: number }>(
    `SELECT count, chunks, corrected, unknown FROM ${db.schema}.retry($1, $2, $3, $4::int4multirange, $5, $6)`,
    [
      id,
      chosen === 'all',
      keys,
      `{${lines.map(([first, last]) => `[${first},${last}]`).join()}}`,
      code ?? null,
      isNotDone,
    ],
  );
  const { count = 0, chunks = [], corrected = 0, unknown = 0 } = rows[0] ?? {};
  if (count === 0) throw new JobsError(`None of these rows can be sent again. ${reasonOf(corrected, unknown)}`);
  return { job: id, chunks: chunks ?? [], rows: count };
}

function reasonOf(corrected: number, unknown: number): string {
  if (corrected > 0)
    return 'The source refused them, or their values were removed: correct them, and feed them back with --repair.';
  if (unknown > 0)
    return 'Their outcome is unknown: check them in the service, and pass --not-done if they were not done.';
  return 'Only rows that the service refused, and unknown ones, can be.';
}
