import type { StoredJob } from './tables.ts';

/** Number of milliseconds before a row's turn at which a worker may claim the row. */
const maxAhead = 250;

/** Milliseconds of work in one claim of a job with a rate. */
const rateSpan = 100;

/** Milliseconds for which an opt-out list is valid. */
export const listLifetime = 24 * 3_600_000;

/** A worker's request to claim rows. */
export interface ClaimRequest {
  readonly job: number;
  /** Maximum number of rows. */
  readonly count: number;
  readonly worker: number;
  /** Highest number of marks of the job that this machine has seen, and the place of the worker's store. */
  readonly seen: number;
  readonly place: string;
  /** Whether the opt-out list of the job must be valid. */
  readonly needsList: boolean;
}

/** Reason why a claim returned no rows. */
export type Hindrance =
  /** The worker was declared dead. */
  | 'worker'
  /** The job was paused, cancelled, finished or removed. */
  | 'state'
  /** The data of the job was reset to an earlier state. */
  | 'marks'
  /** The job last ran in another place, of which this store may be a copy. */
  | 'place'
  /** The opt-out list of the job has to be read. */
  | 'list'
  /** Other workers have reached the limit of rows in flight. */
  | 'full'
  /** The job has to wait for its start, its rate or its account. */
  | 'wait';

export interface Allowance {
  readonly count: number;
  readonly hindrance?: Hindrance;
  /** Milliseconds to wait. */
  readonly wait?: number;
}

/**
 * Decides how many rows a worker may claim.
 *
 * @param state - the locked job; the current time; the time until which its account waits; the place of this connection, if that can
 * change; the number of its claimed rows; and whether the worker is alive
 */
export function allowanceOf(
  { count, seen, place, needsList }: Omit<ClaimRequest, 'job' | 'worker'>,
  state: {
    job: StoredJob;
    now: number;
    waitUntil: number | null;
    here: string | null;
    busy: number;
    isAlive: boolean;
  },
): Allowance {
  const { job, now, waitUntil, here, busy, isAlive } = state;
  if (!isAlive) return { count: 0, hindrance: 'worker' };
  if (job.state !== 'running') return { count: 0, hindrance: 'state' };
  // Check the place first, because nothing else is reliable if the data was reset.
  if (job.place !== place || job.place !== (here ?? place) || job.wentBackAt !== null)
    return { count: 0, hindrance: 'place' };
  if (job.marks < seen) return { count: 0, hindrance: 'marks' };
  const until = Math.max(job.startAt ?? 0, waitUntil ?? 0, job.rate === null ? 0 : job.nextAt - maxAhead);
  if (until > now) return { count: 0, hindrance: 'wait', wait: until - now };
  if (needsList && !(job.checkedAt !== null && now - job.checkedAt < listLifetime))
    return { count: 0, hindrance: 'list' };
  const free = job.concurrency === null ? count : Math.min(count, job.concurrency - busy);
  if (free <= 0) return { count: 0, hindrance: 'full' };
  return { count: job.rate === null ? free : Math.min(free, Math.max(1, Math.floor((job.rate * rateSpan) / 1_000))) };
}
