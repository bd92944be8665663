import { changeRows } from './change-rows.ts';
import type { Database } from './database.ts';
import { JobsError } from './jobs-error.ts';
import { openNotes } from './notes.ts';
import { findJob } from './read-jobs.ts';
import { toJsonb } from './to-jsonb.ts';
import type { Decision, JobState, Source } from './types.ts';

/** Plans refused rows again with corrected values, all or none. Returns how many. */
export async function repairRows(db: Database, name: string, source: Source): Promise<number> {
  const { id } = await findJob(db, name);
  return changeRows(db, id, async (client, plans, state) => {
    refuseCancelled(state);
    for await (const { key, line, values, problem } of source.rows(openNotes(client))) {
      if (problem !== undefined) throw new JobsError(`Line ${line}: ${problem}. Nothing was planned.`);
      const { rows } = await client.query<{ number: number }>(
        `UPDATE ${db.schema}.rows SET state = 'planned', "values" = $3::jsonb, step = NULL, reason = NULL, code = NULL, line = $4
        WHERE job = $1 AND key = $2 AND state = 'refused' RETURNING number`,
        [id, key, toJsonb(values), line],
      );
      const [row] = rows;
      if (!row)
        throw new JobsError(`Line ${line}: ${key} is not a refused row of the job ${name}. Nothing was planned.`);
      plans(row.number);
    }
  });
}

/** Records what a person found out about an unknown row. */
export async function decideRow(db: Database, name: string, key: string, { outcome, result }: Decision): Promise<void> {
  const { id } = await findJob(db, name);
  await changeRows(db, id, async (client, plans, state) => {
    refuseCancelled(state);
    // The row keeps the name of its step, whose result follows.
    const { rows } = await client.query<{ number: number }>(
      `UPDATE ${db.schema}.rows SET state = 'planned', reason = NULL, code = NULL,
        results = CASE WHEN $3 THEN coalesce(results, '{}') || jsonb_build_object(step, $4::jsonb) ELSE results END
      WHERE job = $1 AND key = $2 AND state = 'unknown' RETURNING number`,
      [id, key, outcome === 'done', toJsonb(result ?? null)],
    );
    const [row] = rows;
    if (!row) throw new JobsError(`${key} is not an unknown row of the job ${name}.`);
    plans(row.number);
  });
}

function refuseCancelled(state: JobState | undefined): void {
  if (state === 'cancelled') throw new JobsError('The job was cancelled: plan a new one.');
}
