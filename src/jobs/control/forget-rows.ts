import type { RowChange, Store } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import { pagesOf } from './read-rows.ts';

/** Removes values, results and reasons of all rows of a job that are not being sent or looked up. Returns how many. */
export async function forgetRows(store: Store, job: number): Promise<number> {
  let count = 0;
  for await (const page of pagesOf(store, job, ['planned', 'done', 'rejected', 'invalid', 'unknown']))
    count += await store.changeRows(job, page.map(forgotten));
  await store.changeJob(job, { forgottenAt: await store.now() });
  return count;
}

/** A row without its personal data. One that was not sent yet can no longer be. */
export function forgotten({ number, attempt, line, state, step, code }: StoredRow): RowChange {
  const kept = { number, attempt, line, step, code, reason: null, values: null, results: null };
  return { ...kept, state: state === 'planned' ? 'invalid' : state };
}
