import type { JobOverview, RowOutcome, Store } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import type { FolderMemory } from './folder-memory.ts';
import { attemptOf, type DeadLog, livingWorkers, readDeadLogs } from './send-log.ts';

/**
 * Settles the rows of workers of this folder that have ended, by their logs: without a line they are planned again, with an outcome they have
 * it, and the others are in doubt.
 *
 * @param place - where the store is now. Logs of another place say nothing about it
 */
export async function recoverLogs(
  { store, memory, folder }: { store: Store; memory: FolderMemory; folder: string },
  place: string,
): Promise<void> {
  for await (const log of readDeadLogs(folder, place)) {
    let isSettled = false;
    try {
      for (const [seed, marks] of log.marks) await memory.raise(seed, marks);
      await recover(store, memory, log, place);
      isSettled = true;
    } finally {
      log.close(isSettled);
    }
  }
  // On one machine, a worker whose log is gone, or of another place, is dead, too.
  if (store.silence !== undefined) return;
  // The workers first, because each has locked its log before it is registered.
  const workers = await store.workers();
  const living = await livingWorkers(folder);
  for (const { id } of workers) if (!living.has(id)) await store.unregister(id);
}

async function recover(store: Store, memory: FolderMemory, log: DeadLog, place: string): Promise<void> {
  // Before the jobs are read, because the marks of both grow while others work.
  const seen = new Map<string, number>();
  for (const [seed, marks] of log.marks) seen.set(seed, Math.max(marks, await memory.marksOf(seed)));
  const jobs = new Map((await store.jobs()).map((job) => [job.id, job]));
  for (const worker of log.workers) {
    const outcomes: RowOutcome[] = [];
    for (const row of await store.heldBy(worker)) {
      const job = jobs.get(row.job);
      if (!job) continue;
      // Data that went back may lack the claims that the log has, and have others.
      const isBack = job.place !== place || job.marks < (seen.get(job.seed) ?? 0);
      const outcome = outcomeOf(row, worker, job, log, log.isComplete && !isBack);
      if (outcome) outcomes.push(outcome);
    }
    await store.settle(outcomes);
    await store.unregister(worker);
  }
}

/** Outcome of a row according to the log of its worker. `undefined` if nothing changes. */
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
  // A row that was kept for another try may have been sent since, by a line that is lost.
  if (last && last.state !== 'claimed' && (isComplete || last.state !== 'planned')) return last;
  // Unknown only becomes certain.
  if (state === 'unknown') return undefined;
  const doubt = {
    ...base,
    state: 'doubt',
    reason: 'the worker ended before it knew the outcome',
    lookUpIn: lookupAfter,
  } as const;
  if (known && isComplete)
    return known.step === undefined ? { ...base, state: 'planned', results } : { ...doubt, step: known.step, results };
  // A row that is in doubt already has been sent, and its lines may be gone.
  if (state === 'doubt') return undefined;
  return isComplete ? { ...base, state: 'planned' } : { ...doubt, results };
}
