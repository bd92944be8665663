import { JobsError } from '../jobs-error.ts';
import type { JobOverview, RowCounts, Store } from '../store/store.ts';
import type { JobStatus, Outage, RowState, WorkerStatus } from '../types.ts';

/** Milliseconds after which a report of an outage counts as old, and a worker as silent. */
const { reportLifetime, silence } = { reportLifetime: 120_000, silence: 30_000 };

/** @throws `JobsError` if there is no such job */
export async function findJob(store: Store, name: string): Promise<JobOverview> {
  const [found] = await store.jobs(name);
  if (!found) throw new JobsError(`There is no job ${name}.`);
  return found;
}

/** Reads the progress of one job, or of all. */
export async function readStatus(store: Store, name?: string): Promise<JobStatus[]> {
  const jobs = name === undefined ? await store.jobs() : [await findJob(store, name)];
  const workers = await store.workers();
  return Promise.all(
    jobs.map(async (job) => {
      const count = workers.filter(({ queues, silent }) => queues.includes(job.queue) && silent <= silence).length;
      return toStatus(job, await store.counts(job.id), count);
    }),
  );
}

function toStatus(job: JobOverview, { states, lookUpUntil, begun }: RowCounts, workers: number): JobStatus {
  const { name, definition, version, options, deadline, priority, total, state, now } = job;
  const inDoubt = states.doubt ?? 0;
  const isEnded = state === 'finished' || state === 'cancelled';
  const outage = state === 'running' ? outageOf(job) : undefined;
  return {
    ...{ name, definition, version, options, deadline, priority, workers, total, rows: rowsOf(states) },
    state: state === 'planning' ? 'running' : state,
    plannedAt: new Date(job.plannedAt),
    ...(job.plan && { plan: { ...job.plan, sameSource: job.plan.sameSource ?? [] } }),
    ...(job.concurrency !== null && { concurrency: job.concurrency }),
    ...(job.rate !== null && { rate: job.rate }),
    // A finished job whose data went back keeps its reason for when a row is planned again.
    ...(job.reason !== null && state === 'paused' && { reason: job.reason }),
    ...(job.startAt !== null && job.startAt > now && !isEnded && { startAt: new Date(job.startAt) }),
    ...(job.endedAt !== null && { endedAt: new Date(job.endedAt) }),
    ...(job.waitUntil !== null && { waitingUntil: new Date(job.waitUntil) }),
    ...(outage && { outage }),
    ...(state === 'cancelled' && begun > 0 && { begun }),
    ...(inDoubt > 0 && { lookups: { rows: inDoubt, until: new Date(lookUpUntil ?? now) } }),
  };
}

/** Numbers of rows as users see them: those in doubt were sent, too. */
function rowsOf(states: RowCounts['states']): Record<RowState, number> {
  const { planned = 0, claimed = 0, doubt = 0, done = 0, rejected = 0, invalid = 0, unknown = 0 } = states;
  return { planned, sent: claimed + doubt, done, rejected, invalid, unknown };
}

function outageOf({ outage, now }: JobOverview): Outage | undefined {
  if (!outage || outage.nextTry < now - reportLifetime) return undefined;
  return { reason: outage.reason, since: new Date(outage.since), nextTry: new Date(outage.nextTry) };
}

/** Reads the workers, the newest first. */
export async function readWorkers(store: Store): Promise<WorkerStatus[]> {
  return (await store.workers()).map(({ id, host, process, startedAt, beatAt, silent, rows }) => ({
    ...{ number: id, host, process, rows, state: silent > silence ? ('silent' as const) : ('working' as const) },
    startedAt: new Date(startedAt),
    lastSign: new Date(beatAt),
  }));
}
