import type { JobOverview, RowOutcome, Store } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import type { FolderMemory } from './folder-memory.ts';
import { attemptOf, type DeadLog, readDeadLogs } from './send-log.ts';
import { isBehind } from './went-back.ts';

/**
 * Settles the rows of workers in this folder that have ended, according to their logs. A row without a line in the log is planned again,
 * a row with an outcome receives that outcome, and all other rows are put in doubt.
 *
 * @param place - current place of the store. Logs from another place say nothing about this store
 */
export async function recoverLogs(
  { store, memory, folder }: { store: Store; memory: FolderMemory; folder: string },
  place: string,
): Promise<void> {
  // If all workers run on one machine, a worker whose log is missing or belongs to another place is also dead. Read the workers first,
  // because each worker locks its log before it is registered.
  const workers = store.silence === undefined ? await store.workers() : [];
  const living = new Set<number>();
  for await (const log of readDeadLogs(folder, place, living)) {
    let isSettled = false;
    try {
      await recover(store, memory, log, place);
      isSettled = true;
    } finally {
      log.close(isSettled);
    }
  }
  for (const { id } of workers) if (!living.has(id)) await store.unregister(id);
}

async function recover(store: Store, memory: FolderMemory, log: DeadLog, place: string): Promise<void> {
  const jobs = new Map((await store.jobs()).map((job) => [job.id, job]));
  /** Whether the data of a job was reset. It may then lack claims that are in the log, and may have other claims. */
  const isBack = new Map<number, boolean>();
  for (const [id, job] of jobs)
    isBack.set(id, job.place !== place || (await isBehind(store, job, await memory.marksOf(job.seed))));
  for (const worker of log.workers) {
    const outcomes: RowOutcome[] = [];
    for (const row of await store.heldBy(worker)) {
      const job = jobs.get(row.job);
      if (!job) continue;
      const outcome = outcomeOf(row, worker, job, log, log.isComplete && isBack.get(row.job) === false);
      if (outcome) outcomes.push(outcome);
    }
    await store.settle(outcomes);
    await store.unregister(worker);
  }
}

/** Returns the outcome of a row according to the log of its worker. Returns `undefined` if nothing changes. */
export function outcomeOf(
  row: Pick<StoredRow, 'job' | 'number' | 'attempt' | 'state'>,
  worker: number,
  { lookupAfter }: Pick<JobOverview, 'lookupAfter'>,
  log: Pick<DeadLog, 'rows'>,
  isComplete: boolean,
): RowOutcome | undefined {
  const { job, number, attempt, state } = row;
  const known = log.rows.get(attemptOf(row));
  const base = { job, number, attempt, worker };
  const results = known?.outcome?.results;
  const last = known?.step === undefined ? known?.outcome : undefined;
  // A row that was kept for another attempt may have been sent since then, and the line about it may be lost.
  if (last && last.state !== 'claimed' && (isComplete || last.state !== 'planned')) return last;
  // An unknown row changes only if the log has a certain outcome.
  if (state === 'unknown') return undefined;
  const doubt = {
    ...base,
    state: 'doubt',
    reason: 'the worker ended before the outcome was known',
    lookUpIn: lookupAfter,
  } as const;
  if (known && isComplete)
    return known.step === undefined ? { ...base, state: 'planned', results } : { ...doubt, step: known.step, results };
  // A row that is already in doubt may have been sent, and its lines may be missing.
  if (state === 'doubt') return undefined;
  return isComplete ? { ...base, state: 'planned' } : { ...doubt, results };
}
