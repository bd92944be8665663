import type { RowChange, Store } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';

/** Rows of a statement. */
const pageSize = 2_000;

/** Removes values, results and reasons of all rows of a job that are not being sent or looked up. Returns how many. */
export async function forgetRows(store: Store, job: number): Promise<number> {
  let count = 0;
  for (let after = -1; ; ) {
    const rows = await store.rows(job, {
      states: ['planned', 'done', 'rejected', 'invalid', 'unknown'],
      ...{ after, limit: pageSize },
    });
    const last = rows.at(-1);
    if (!last) break;
    after = last.number;
    count += await store.changeRows(job, rows.map(forgotten));
  }
  await store.changeJob(job, { forgottenAt: await store.now() });
  return count;
}

/** A row without its personal data. One that was not sent yet can no longer be. */
export function forgotten({ number, attempt, line, state, step, code }: StoredRow): RowChange {
  const kept = { number, attempt, line, step, code, reason: null, values: null, results: null };
  return { ...kept, state: state === 'planned' ? 'invalid' : state };
}
