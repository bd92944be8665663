import { assertNotCancelled } from '../control/change-job.ts';
import { pagesOf } from '../control/read-rows.ts';
import { JobsError } from '../jobs-error.ts';
import type { JobOverview, NewRow, RowChange, Store } from '../store/store.ts';
import { openNotes, type TemporaryNotes } from '../temporary-notes.ts';
import type { Source } from '../types.ts';
import { toNewRow } from './row-insert.ts';

/** Maximum rows of one transaction. */
const batchSize = 500;

const isLeftOut = 'The source no longer contains this row';

/**
 * Updates the rows of a job from its source. Rows that were sent or are done do not change. An interrupted update can be repeated,
 * because each planned row is in the source.
 */
export async function updateJob(store: Store, job: JobOverview, source: Source, checksum: string): Promise<void> {
  assertNotCancelled(job.state);
  // Do this first, so that no worker sends a row that the source no longer contains, or contains with other values.
  for await (const page of pagesOf(store, job.id, ['planned']))
    await store.changeRows(
      job.id,
      page.map(({ number, attempt, step }) => ({ number, attempt, step, state: 'invalid', reason: isLeftOut })),
    );
  await store.changeJob(job.id, { checksum, plan: null });
  const notes = await openNotes();
  const seen = await openNotes();
  try {
    let batch: NewRow[] = [];
    const update = async (): Promise<void> => {
      await assertUniqueKeys(seen, batch);
      await updateRows(store, job.id, batch);
      batch = [];
    };
    for await (const row of source.rows(notes)) {
      batch.push(toNewRow(row).row);
      if (batch.length === batchSize) await update();
    }
    await update();
  } finally {
    notes.close();
    seen.close();
  }
  if ((await source.checksum()) !== checksum)
    throw new JobsError(`The source of the job ${job.name} changed while it was being read. Plan the job again.`);
}

/** @throws `JobsError` if a row has the key of an earlier row */
async function assertUniqueKeys(seen: TemporaryNotes, rows: readonly NewRow[]): Promise<void> {
  const lines = await seen.find(rows.map(({ key }) => key));
  for (const { key, line } of rows) {
    const earlier = lines.get(key);
    if (earlier !== undefined) throw new JobsError(`Line ${line}: the key ${key} is already used on line ${earlier}.`);
    lines.set(key, line);
  }
  await seen.add(lines);
}

async function updateRows(store: Store, job: number, given: readonly NewRow[]): Promise<void> {
  const rows = new Map(given.map((row) => [row.key, row]));
  const existing = await store.rows(job, { keys: [...rows.keys()], limit: rows.size });
  const changes = existing.flatMap(({ number, attempt, key, state }): RowChange[] => {
    const row = rows.get(key);
    rows.delete(key);
    const isOpen = state === 'planned' || state === 'rejected' || state === 'invalid';
    return row && isOpen ? [{ number, attempt, ...changeOf(row) }] : [];
  });
  if (changes.length > 0) await store.changeRows(job, changes, { job: { checkedAt: null, checkingUntil: null } });
  if (rows.size > 0) await store.changeRows(job, [], { added: [...rows.values()] });
}

function changeOf({ line, values, state, reason }: NewRow): Omit<RowChange, 'number' | 'attempt'> {
  return { line, values, state, reason };
}
