import { JobsError } from '../jobs-error.ts';
import type { Store } from '../store/store.ts';
import type { StoredRow, StoredState } from '../store/tables.ts';
import type { CompletedRow, Problem, UnsentRow } from '../types.ts';
import { markerOf } from '../work/steps.ts';
import { findJob } from './read-status.ts';

/** Reads the rows of a job in the order of the source, page by page to limit memory use. */
export async function* pagesOf(
  store: Store,
  job: number,
  states?: readonly StoredState[],
): AsyncGenerator<StoredRow[]> {
  for (let after = -1; ; ) {
    const rows = await store.rows(job, { states, after });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.number;
  }
}

async function* rowsOf(store: Store, job: number, states: readonly StoredState[]): AsyncGenerator<StoredRow> {
  for await (const page of pagesOf(store, job, states)) yield* page;
}

/** Reads the rows that a person should check. */
export async function* readProblems(store: Store, name: string): AsyncGenerator<Problem> {
  const { id, seed, state: of } = await findJob(store, name);
  const states: StoredState[] = ['rejected', 'invalid', 'unknown'];
  // The begun rows of a job continue, unless the job is cancelled.
  if (of === 'cancelled') states.push('planned');
  for await (const { key, line, state, step, reason, code, sentAt, values, results } of rowsOf(store, id, states)) {
    if (state === 'planned' && results === null) continue;
    const begun =
      state === 'planned' && `The job was cancelled after these steps: ${Object.keys(results ?? {}).join(', ')}`;
    yield {
      key,
      line,
      values,
      results: results ?? {},
      state: state === 'rejected' || state === 'invalid' || state === 'unknown' ? state : 'begun',
      reason: begun || (reason ?? 'The reason was removed'),
      ...(step !== null && { step, marker: markerOf(seed, key, step) }),
      ...(code !== null && { code }),
      ...(sentAt !== null && { sentAt: new Date(sentAt) }),
    };
  }
}

/**
 * Reads the rows of a cancelled job for which nothing was sent.
 *
 * @throws `JobsError` if the job is not cancelled, because its workers could still send the rows
 */
export async function* readUnsent(store: Store, name: string): AsyncGenerator<UnsentRow> {
  const { id, state } = await findJob(store, name);
  if (state !== 'cancelled')
    throw new JobsError(`The job ${name} is ${state}: cancel it first, so that it sends no more rows.`);
  for await (const { key, line, values, results } of rowsOf(store, id, ['planned']))
    if (results === null) yield { key, line, values };
}

export async function* readResults(store: Store, name: string): AsyncGenerator<CompletedRow> {
  const { id } = await findJob(store, name);
  for await (const { key, line, results } of rowsOf(store, id, ['done'])) yield { key, line, results: results ?? {} };
}
