import { JobsError } from '../jobs-error.ts';
import { toStorable } from '../store/storable.ts';
import type { RowChange, Store } from '../store/store.ts';
import { openNotes } from '../temporary-notes.ts';
import type { Source, SourceRow } from '../types.ts';
import { assertNotCancelled } from './change-job.ts';
import { findJob } from './read-status.ts';

/** Plans rejected and invalid rows again with corrected values, either all or none of the rows. Returns the number of rows. */
export async function repairRows(store: Store, name: string, source: Source): Promise<number> {
  const { id, state, now } = await findJob(store, name);
  assertNotCancelled(state);
  const changes = new Map<number, RowChange>();
  const notes = await openNotes();
  try {
    for await (const row of source.rows(notes)) {
      if (row.problem !== undefined) throw new JobsError(`Line ${row.line}: ${row.problem}. Nothing was planned.`);
      const change = await changeOf(store, id, row);
      if (!change || changes.has(change.number))
        throw new JobsError(
          `Line ${row.line}: ${row.key} is not a rejected or invalid row of the job ${name}. Nothing was planned.`,
        );
      changes.set(change.number, change);
    }
  } finally {
    notes.close();
  }
  if (changes.size === 0) return 0;
  return store.changeRows(id, [...changes.values()], {
    // This tells lookups that other rows may have the recipients of the repaired rows.
    job: { checkedAt: null, checkingUntil: null, repairedAt: now },
    isStrict: true,
  });
}

async function changeOf(store: Store, job: number, { key, line, values }: SourceRow): Promise<RowChange | undefined> {
  const [row] = await store.rows(job, { keys: [key], states: ['rejected', 'invalid'] });
  return row && { number: row.number, attempt: row.attempt, line, state: 'planned', values: toStorable(values) };
}
