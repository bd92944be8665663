import { identityOf } from '../built-in/values.ts';
import { JobsError } from '../jobs-error.ts';
import { toStorable } from '../store/storable.ts';
import { ChangedRowsError, type RowChange, type RowMark, type Store } from '../store/store.ts';
import { openNotes } from '../temporary-notes.ts';
import type { JobDefinition, Recipients, Source, SourceRow } from '../types.ts';
import { plannedAgain, refuseCancelled } from './change-job.ts';
import { pagesOf } from './read-rows.ts';
import { findJob } from './read-status.ts';

/** Plans rejected and invalid rows again with corrected values, all of them or none. Returns how many. */
export async function repairRows(
  store: Store,
  name: string,
  source: Source,
  definitions: readonly JobDefinition[],
): Promise<number> {
  const { id, state, definition } = await findJob(store, name);
  refuseCancelled(state);
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

/**
 * Marks repaired rows that have a person in common with other rows of their job, because a lookup of one could take what another has sent.
 *
 * @param changes - the repaired rows by number, whose values change
 * @returns the marks of the other rows
 */
async function markShared(
  store: Store,
  job: number,
  { of, share }: Pick<Recipients, 'of' | 'share'>,
  changes: Map<number, RowChange>,
): Promise<RowMark[]> {
  if (!share) return [];
  const repaired = new Map<string, Set<number>>();
  for (const { number, values } of changes.values())
    for (const person of of(values)) repaired.set(person, (repaired.get(person) ?? new Set()).add(number));
  const shared = new Set([...repaired.values()].filter(({ size }) => size > 1).flatMap((numbers) => [...numbers]));
  const marks: RowMark[] = [];
  for await (const page of pagesOf(store, job, ['planned', 'claimed', 'doubt', 'done', 'rejected', 'unknown'])) {
    for (const { number, key, values, state } of page) {
      if (changes.has(number)) continue;
      const people = values === null ? peopleOfKey(key) : of(values);
      const found = people?.flatMap((person) => [...(repaired.get(person) ?? [])]) ?? [...changes.keys()];
      for (const one of found) shared.add(one);
      if (found.length > 0 && values !== null && state !== 'done')
        marks.push({ number, before: values, values: toStorable(share(values)) });
    }
  }
  for (const number of shared) {
    const change = changes.get(number);
    if (change) changes.set(number, { ...change, values: toStorable(share(change.values)) });
  }
  return marks;
}

/** Completed rows keep only their key, which may be the address. `undefined` if it is not. */
function peopleOfKey(key: string): string[] | undefined {
  const own = identityOf(key.replace(/ \(line \d+\)$/, ''));
  return own.includes('@') ? [own] : undefined;
}
