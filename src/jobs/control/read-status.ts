import { JobsError } from '../jobs-error.ts';
import type { JobOverview, RowCounts, Store, StoredWorker } from '../store/store.ts';
import type { JobStatus, RowState, WorkerStatus } from '../types.ts';

/** Milliseconds after which a worker counts as silent. */
const silence = 30_000;

/** @throws `JobsError` if there is no such job */
export async function findJob(store: Store, name: string): Promise<JobOverview> {
  const [found] = await store.jobs(name);
  if (!found) throw new JobsError(`There is no job ${name}.`);
  return found;
}

export async function readStatus(store: Store, name: string): Promise<JobStatus> {
  return toStatus(store, await findJob(store, name), await store.workers());
}

export async function readList(store: Store): Promise<JobStatus[]> {
  const jobs = await store.jobs();
  const workers = await store.workers();
  return Promise.all(jobs.map((job) => toStatus(store, job, workers)));
}

async function toStatus(store: Store, job: JobOverview, known: readonly StoredWorker[]): Promise<JobStatus> {
  const { states, lookUpUntil, begun } = await store.counts(job.id);
  const workers = known.filter(({ queues, silent }) => queues.includes(job.queue) && silent <= silence).length;
  const { name, definition, version, options, deadline, priority, total, state, now } = job;
  const inDoubt = states.doubt ?? 0;
  const isEnded = state === 'finished' || state === 'cancelled';
  return {
    name,
    definition,
    version,
    options,
    deadline,
    priority,
    workers,
    total,
    rows: rowsOf(states),
    state: state === 'planning' ? 'running' : state,
    plannedAt: new Date(job.plannedAt),
    ...(job.plan && { plan: job.plan }),
    ...(job.concurrency !== null && { concurrency: job.concurrency }),
    ...(job.rate !== null && { rate: job.rate }),
    // A finished job whose data was reset keeps its reason, in case a row is planned again.
    ...(job.reason !== null && !isEnded && { reason: job.reason }),
    ...(job.startAt !== null && job.startAt > now && !isEnded && { startAt: new Date(job.startAt) }),
    ...(job.endedAt !== null && { endedAt: new Date(job.endedAt) }),
    ...(job.waitUntil !== null && { waitingUntil: new Date(job.waitUntil) }),
    ...(state === 'cancelled' && begun > 0 && { begun }),
    ...(inDoubt > 0 && { lookups: { rows: inDoubt, until: new Date(lookUpUntil ?? now) } }),
  };
}

/** Returns the counts that users see: rows in doubt count as sent. */
function rowsOf(states: RowCounts['states']): Record<RowState, number> {
  const { planned = 0, claimed = 0, doubt = 0, done = 0, rejected = 0, invalid = 0, unknown = 0 } = states;
  return { planned, sent: claimed + doubt, done, rejected, invalid, unknown };
}

/** Reads the workers, the newest first. */
export async function readWorkers(store: Store): Promise<WorkerStatus[]> {
  return (await store.workers()).map(({ id, host, process, startedAt, beatAt, silent, rows }) => ({
    number: id,
    host,
    process,
    rows,
    state: silent > silence ? ('silent' as const) : ('working' as const),
    startedAt: new Date(startedAt),
    lastSign: new Date(beatAt),
  }));
}
