import type { StoredJob } from './tables.ts';

/** Milliseconds before which a turn of a rate can be taken. */
const maxAhead = 250;

/** Milliseconds of work that one claim takes of a job with a rate. */
const rateSpan = 100;

/** Milliseconds for which a list of those who do not want what a job sends is valid. */
export const listLifetime = 24 * 3_600_000;

/** A request for rows. */
export interface ClaimRequest {
  readonly job: number;
  /** Maximum number of rows. */
  readonly count: number;
  readonly worker: number;
  /** The highest number of marks that this machine has seen of the job, and where it is. */
  readonly seen: number;
  readonly place: string;
  /** Whether the list of those who do not want what the job sends must be valid. */
  readonly needsList: boolean;
}

/** Why a claim has fewer rows than it wanted. */
export type Hindrance =
  /** The worker was declared dead. */
  | 'worker'
  /** The job was paused, cancelled, finished or removed. */
  | 'state'
  /** The data of the job went back to an earlier state. */
  | 'marks'
  /** The job was planned in another place, of which this one is a copy. */
  | 'place'
  /** The list of those who do not want what it sends has to be read. */
  | 'list'
  /** Other workers have reached the limit of rows in flight. */
  | 'full'
  /** It has to wait, for its start, its rate or its account. */
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
 * @param state - the job, locked; the time; until when its account waits; where this connection leads, if that can change; its claimed
 * rows; and whether the worker is alive
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
  // First, because nothing else that went back can be believed.
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
