import type { Client } from 'carillon';
import { pagesOf } from '../control/read-rows.ts';
import type { NewRow, RowChange, Store } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import { openNotes } from '../temporary-notes.ts';
import type { Json, Recipients, SourceNotes } from '../types.ts';
import { stopReason } from './classify-error.ts';
import type { KnownJob } from './known-job.ts';
import { optOutsOf, readOptOuts } from './opt-out-list.ts';

/** Milliseconds without progress after which another worker may read the opt-out list. */
const progressTimeout = 60_000;

/** Whether a job leaves out people who have opted out of what it sends. */
export function checksOptOuts({ definition, options }: KnownJob): boolean {
  const { recipients } = definition;
  return (
    recipients !== undefined &&
    recipients.isChecked?.(options) !== false &&
    optOutsOf(recipients.operation) !== undefined
  );
}

/**
 * Reads the opt-out list of a job, and removes the people on the list from the planned rows. In the meantime, no worker claims rows,
 * because the job has no valid list. If the list cannot be read, the job pauses.
 *
 * @param stop - pauses the job with a reason
 * @returns whether this worker has completed the check. `false` if another worker is reading the list
 */
export async function recheckOptOuts(
  { store, api, signal }: { store: Store; api: Client; signal: AbortSignal },
  job: KnownJob,
  stop: (reason: string) => Promise<void>,
): Promise<boolean> {
  const { recipients } = job.definition;
  const list = recipients && optOutsOf(recipients.operation);
  if (!recipients || !list) return false;
  const begun = await store.now();
  let until = begun + progressTimeout;
  /**
   * Extends the turn of this worker. Resolves to `false` if the turn has ended, for example because rows were planned again that this
   * worker may already have passed.
   */
  const renewTurn = async (): Promise<boolean> => {
    const next = (await store.now()) + progressTimeout;
    const isMine = await store.changeJob(job.id, { checkingUntil: next }, { checkingUntil: until });
    until = next;
    return isMine && !signal.aborted;
  };
  const isMine = await store.changeJob(job.id, { checkingUntil: until }, { states: ['running'], isUnchecked: true });
  if (!isMine) return false;
  const notes = await openNotes();
  try {
    try {
      for await (const people of readOptOuts(api, recipients.operation)) {
        await notes.add(new Map(people.map((person) => [person, 1])));
        if (!(await renewTurn())) return false;
      }
    } catch (error) {
      await stop(
        `The list of people who opted out of what the job sends (${list.operation}) could not be read: ${stopReason(error, 'Resume the job to try again.')}`,
      );
      return false;
    }
    for await (const rows of pagesOf(store, job.id, ['planned'])) {
      await leaveOut(store, job.id, rows, recipients, list.operation, notes);
      if (!(await renewTurn())) return false;
    }
    return await store.changeJob(job.id, { checkedAt: begun }, { checkingUntil: until });
  } finally {
    notes.close();
    await store.changeJob(job.id, { checkingUntil: null }, { checkingUntil: until });
  }
}

async function leaveOut(
  store: Store,
  job: number,
  rows: readonly StoredRow[],
  recipients: Recipients,
  list: string,
  notes: SourceNotes,
): Promise<void> {
  const people = new Map(rows.map((row) => [row, recipients.of(row.values)]));
  const out = await notes.find([...people.values()].flat());
  if (out.size === 0) return;
  const changes: RowChange[] = [];
  const added: NewRow[] = [];
  for (const row of rows) {
    if (!people.get(row)?.some((person) => out.has(person))) continue;
    const reduced = reduce(row, recipients, (person) => out.has(person), list);
    changes.push(reduced.change);
    added.push(...reduced.added);
  }
  await store.changeRows(job, changes, { added });
}

/** Removes people from a row. Returns the row without these people, and one invalid row for each of them. */
export function reduce(
  row: StoredRow,
  { of, split }: Pick<Recipients, 'of' | 'split'>,
  isOut: (person: string) => boolean,
  list: string,
): { change: RowChange; added: NewRow[] } {
  const { number, attempt, line, key, values } = row;
  const reasonOf = (people: readonly string[]): string =>
    `${people.join(', ')} ${people.length === 1 ? 'is' : 'are'} on the list of people who opted out (${list}), which was read before the row was sent`;
  const base = { number, attempt };
  const parts = split?.(values, isOut);
  if (!parts || parts.kept === null) {
    const reason = reasonOf(of(values).filter(isOut));
    return { change: { ...base, state: 'invalid', reason }, added: [] };
  }
  return {
    change: { ...base, state: 'planned', reason: row.reason, values: parts.kept as Json },
    added: parts.leftOut.map((left, index) => ({
      number: 0,
      line,
      state: 'invalid',
      reason: reasonOf(of(left)),
      values: left as Json,
      key: `${key}, left out ${index + 1} (attempt ${attempt})`,
    })),
  };
}
