import { identityOf } from '../built-in/values.ts';
import { JobsError } from '../jobs-error.ts';
import type { JobOverview, Store } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import type { JobRowDetails, RowState } from '../types.ts';
import { markerOf } from '../work/steps.ts';
import { pagesOf } from './read-rows.ts';
import { findJob } from './read-status.ts';

/**
 * Finds rows by key, by line, or by an address or phone number, in any spelling, in their keys or values.
 *
 * @throws `JobsError` if no row is found. The message says whether the row may be one whose values are no longer stored
 */
export async function showRows(store: Store, name: string, wanted: string): Promise<JobRowDetails[]> {
  const job = await findJob(store, name);
  const line = /^\d{1,9}$/.test(wanted) ? Number(wanted) : undefined;
  const found = new Map<number, StoredRow>();
  const add = (rows: readonly StoredRow[]): void => {
    for (const row of rows) found.set(row.number, row);
  };
  add(await store.rows(job.id, { keys: [wanted] }));
  if (line !== undefined) add(await store.rows(job.id, { line }));
  let withoutValues = 0;
  if (line === undefined || found.size === 0) {
    const identity = identityOf(wanted);
    for await (const page of pagesOf(store, job.id)) {
      for (const row of page) {
        if (identity !== '' && hasIdentity(row, identity)) add([row]);
        else if (row.values === null) withoutValues += 1;
      }
    }
  }
  // An invalid row is not a campaign part.
  if (found.size === 0 && line !== undefined && job.plan && job.plan.rows > job.total) {
    const states = ['planned', 'claimed', 'doubt', 'done', 'rejected', 'unknown'] as const;
    add(await store.rows(job.id, { upToLine: line, states, limit: 1 }));
  }
  if (found.size > 0)
    return [...found.values()].sort((one, other) => one.number - other.number).map((row) => toDetails(job, row));
  if (withoutValues > 0)
    throw new JobsError(
      `No stored row of the job ${name} contains ${wanted}. However, the values of ${withoutValues.toLocaleString('en')} rows are no longer stored, for example because the rows are done. If the row is one of them, specify its line or key.`,
    );
  throw new JobsError(
    `The job ${name} has no row ${wanted}. Specify a source line, a key, or the address or phone number of a recipient.`,
  );
}

export async function findRows(store: Store, name: string, keys: readonly string[]): Promise<JobRowDetails[]> {
  const job = await findJob(store, name);
  const found = await store.rows(job.id, { keys, limit: keys.length });
  return found.map((row) => toDetails(job, row));
}

/** Whether the key or a value of a row is the given address or number, in any spelling. */
function hasIdentity({ key, values }: StoredRow, identity: string): boolean {
  return isSame(key.replace(/ \(line \d+\)$/, ''), identity) || contains(values, identity);
}

function contains(value: unknown, identity: string): boolean {
  if (typeof value === 'string' || typeof value === 'number') return isSame(String(value), identity);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => contains(each, identity));
}

/** Compares only addresses and phone numbers, because the digits in other strings do not identify a recipient. */
function isSame(text: string, identity: string): boolean {
  if (identity.includes('@'))
    return text.includes('@') && text.split(/[;,\s]+/).some((each) => identityOf(each) === identity);
  return /^\+?[\d\s()./;-]+$/.test(text) && text.split(';').some((each) => identityOf(each) === identity);
}

function toDetails({ seed }: JobOverview, row: StoredRow): JobRowDetails {
  const { key, line, state, attempt, step, reason, code, sentAt, at, results } = row;
  const shown: RowState = state === 'claimed' || state === 'doubt' ? 'sent' : state;
  return {
    key,
    line,
    attempt,
    state: shown,
    results: results ?? {},
    ...(step !== null && { step, marker: markerOf(seed, key, step) }),
    ...(reason !== null && { reason }),
    ...(code !== null && { code }),
    ...(sentAt !== null && { sentAt: new Date(sentAt) }),
    ...(at !== null && shown !== 'sent' && shown !== 'planned' && { endedAt: new Date(at) }),
  };
}
