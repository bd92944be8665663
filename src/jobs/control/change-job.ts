import { checkLimits, checkPriority } from '../define-job.ts';
import { JobsError } from '../jobs-error.ts';
import type { RowChange, Store } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import type { Decision, JobSettings, JobState, RetryChoice } from '../types.ts';
import { readChoice } from './chosen-rows.ts';
import { pagesOf } from './read-rows.ts';
import { findJob } from './read-status.ts';

/** Stops sending after the requests in flight. Rows that were sent are still looked up. */
export async function stopJob(store: Store, name: string, to: 'paused' | 'cancelled'): Promise<void> {
  const { id } = await findJob(store, name);
  const states: JobState[] = to === 'cancelled' ? ['running', 'paused'] : ['running'];
  const endedAt = to === 'cancelled' ? await store.now() : null;
  if (await store.changeJob(id, { state: to, reason: null, endedAt }, { states })) return;
  const { state } = await findJob(store, name);
  if (state !== to) throw new JobsError(`The job ${name} is ${state}, so it cannot be ${to}.`);
}

export async function changeSettings(store: Store, name: string, settings: JobSettings): Promise<void> {
  const { concurrency, rate, priority } = settings;
  checkLimits(name, { concurrency: concurrency ?? undefined, rate: rate ?? undefined });
  checkPriority(name, priority);
  const { id } = await findJob(store, name);
  // A new rate ends the wait for the next turn of the old rate.
  const change = { concurrency, rate, priority, ...(rate !== undefined && { nextAt: 0 }) };
  if (Object.values(change).some((value) => value !== undefined)) await store.changeJob(id, change);
}

export function assertNotCancelled(state: string): void {
  if (state === 'cancelled') throw new JobsError('The job was cancelled: plan a new job.');
}

/**
 * Plans rejected rows again with the same values.
 *
 * @throws `JobsError` if none of the chosen rows can be sent again
 */
export async function retryRows(store: Store, name: string, { rows, code }: RetryChoice): Promise<number> {
  const { id, state } = await findJob(store, name);
  assertNotCancelled(state);
  const chosen = readChoice(rows);
  const counts = { again: 0, corrected: 0, unknown: 0 };
  for await (const page of pagesOf(store, id, ['rejected', 'invalid', 'unknown'])) {
    const those = page.filter((row) => chosen.has(row) && (code === undefined || row.code === code));
    const again = those.filter((row) => row.values !== null && row.state === 'rejected');
    counts.corrected += those.filter((row) => row.state === 'invalid' || row.values === null).length;
    counts.unknown += those.filter((row) => row.state === 'unknown').length;
    // Workers compare the people of these rows with the current opt-out list before they send the rows.
    counts.again += await store.changeRows(
      id,
      again.map(({ number, attempt }) => ({ number, attempt, state: 'planned' })),
      { job: { checkedAt: null, checkingUntil: null } },
    );
  }
  if (counts.again === 0) throw new JobsError(`None of these rows can be sent again. ${reasonOf(counts)}`);
  return counts.again;
}

function reasonOf({ corrected, unknown }: { corrected: number; unknown: number }): string {
  if (corrected > 0)
    return 'The rows are invalid, or their values were removed: correct the rows, then apply them with --repair.';
  if (unknown > 0)
    return 'The outcome of the rows is unknown: check in the service whether the rows were processed, then apply the outcomes with --repair.';
  return 'Only rows that the service rejected can be sent again.';
}

/** Records the outcome of an unknown row, as determined by a person. */
export async function decideRow(store: Store, name: string, key: string, { outcome, result }: Decision): Promise<void> {
  const { id, state } = await findJob(store, name);
  assertNotCancelled(state);
  const [row] = await store.rows(id, { keys: [key], states: ['unknown'] });
  const results =
    row && outcome === 'done' && row.step !== null ? { ...row.results, [row.step]: result ?? null } : undefined;
  const changed =
    row && (await store.changeRows(id, [{ number: row.number, attempt: row.attempt, state: 'planned', results }]));
  if (!changed) throw new JobsError(`Row ${key} does not exist in the job ${name}, or its state is not 'unknown'.`);
}

/** Removes personal data of one row that is not being sent, or of all rows of a job that has ended. */
export async function forgetJob(store: Store, name: string, key: string | undefined): Promise<number> {
  const { id, state } = await findJob(store, name);
  if (key === undefined) {
    if (state !== 'finished' && state !== 'cancelled')
      throw new JobsError(`The job ${name} is ${state}: cancel it first, or specify a row.`);
    return forgetRows(store, id);
  }
  const [row] = await store.rows(id, { keys: [key] });
  const count = row ? await store.changeRows(id, [forgotten(row)]) : 0;
  if (count === 0)
    throw new JobsError(
      `The job ${name} has no row ${key}, or a request of the row is in flight: try again after the deadline of the request.`,
    );
  return count;
}

/** Removes the values, results and reasons of all rows of a job that are not being sent or looked up. Returns the number of rows. */
export async function forgetRows(store: Store, job: number): Promise<number> {
  let count = 0;
  for await (const page of pagesOf(store, job, ['planned', 'done', 'rejected', 'invalid', 'unknown']))
    count += await store.changeRows(job, page.map(forgotten));
  await store.changeJob(job, { forgottenAt: await store.now() });
  return count;
}

/** Returns a row without its personal data. A planned row becomes invalid, because it can no longer be sent. */
function forgotten({ number, attempt, state, step, code }: StoredRow): RowChange {
  const kept = { number, attempt, step, code, values: null, results: null };
  return { ...kept, state: state === 'planned' ? 'invalid' : state };
}

/** Removes a job that has ended, with all its rows. */
export async function removeJob(store: Store, name: string): Promise<string> {
  const { id, state, seed } = await findJob(store, name);
  const { states } = await store.counts(id);
  const isOpen = (states.claimed ?? 0) + (states.doubt ?? 0) > 0;
  if (state !== 'finished' && state !== 'cancelled')
    throw new JobsError(`The job ${name} is ${state}. Cancel it first.`);
  if (isOpen)
    throw new JobsError(`The job ${name} still has requests in flight. Wait until they have ended, then try again.`);
  await store.remove(id);
  return seed;
}
