import type { Gate } from './gate.ts';
import type { Outcome, Row } from './journal.ts';
import type { KnownJob } from './known-job.ts';
import { pause } from './pause.ts';
import { defaultDeadline, type Station } from './station.ts';
import type { Json } from './types.ts';

/** What the rows of a chunk share. */
export interface RowWork {
  readonly station: Station;
  readonly job: KnownJob;
  readonly gate: Gate;
  /** Ends the work: nothing more is sent. */
  readonly signal: AbortSignal;
  /** When quotas are free again, by step and what has the quota. */
  readonly blocked: Map<string, number>;
  /** Pauses the job, because every row would fail. */
  stop(reason: string): Promise<void>;
}

/** A row that this worker holds: its current attempt. */
export interface Held {
  readonly row: Row;
  readonly worker: number;
  readonly attempt: number;
  readonly results: Record<string, Json>;
}

/** When the row should be processed again, in milliseconds since 1970; `undefined` if it needs nothing more now. */
export type Wake = number | undefined;

/** Waits for the rate of the job. Returns `false` if the work ended meanwhile. */
export async function rateOf({ station, job, signal }: RowWork): Promise<boolean> {
  const { rate } = job;
  if (rate === null) return true;
  const wait = await station.limits.pace(job.id, rate).catch(() => 1_000);
  await pause(wait, signal);
  return !signal.aborted;
}

/** Writes that every step of a row is done. */
export async function complete(work: RowWork, held: Held): Promise<Wake> {
  const { keep = 'nothing' } = work.job.definition;
  await write(work, held, {
    state: 'done',
    results: keep === 'nothing' ? null : held.results,
    forgetValues: keep !== 'everything',
  });
  return undefined;
}

/** Writes the outcome of an attempt, if the row still shows it. */
export async function write(
  work: RowWork,
  held: Held,
  outcome: Pick<Outcome, 'state'> & Partial<Outcome>,
): Promise<void> {
  const { row, worker, attempt, results } = held;
  await work.station.settle({ job: row.job, number: row.number, attempt, worker, results, ...outcome });
}

export function deadlineOf({ job }: Pick<RowWork, 'job'>): number {
  return job.definition.deadline ?? defaultDeadline;
}
