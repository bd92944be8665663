import { JobsError } from '../jobs-error.ts';
import { toStorable } from '../store/storable.ts';
import { ChangedRowsError, type RowChange, type Store } from '../store/store.ts';
import { openNotes } from '../temporary-notes.ts';
import type { JobDefinition, Source, SourceRow } from '../types.ts';
import { plannedAgain } from './change-job.ts';
import { findJob } from './read-status.ts';
import { markShared } from './shared-people.ts';

/** Plans rejected and invalid rows again with corrected values, all of them or none. Returns how many. */
export async function repairRows(
  store: Store,
  name: string,
  source: Source,
  definitions: readonly JobDefinition[],
): Promise<number> {
  const { id, state, definition } = await findJob(store, name);
  if (state === 'cancelled') throw new JobsError('The job was cancelled: plan a new one.');
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
  const recipients = definitions.find((each) => each.name === definition)?.recipients;
  const marks = recipients ? await markShared(store, id, recipients, changes) : [];
  try {
    return await store.changeRows(id, [...changes.values()], {
      job: { checkedAt: null, checkingUntil: null },
      marks,
      isStrict: true,
    });
  } catch (error) {
    if (error instanceof ChangedRowsError) throw new JobsError(`${error.message} Nothing was planned.`);
    throw error;
  }
}

async function changeOf(store: Store, job: number, { key, line, values }: SourceRow): Promise<RowChange | undefined> {
  const [row] = await store.rows(job, { key, states: ['rejected', 'invalid'] });
  return row && { number: row.number, attempt: row.attempt, line, ...plannedAgain, values: toStorable(values) };
}
