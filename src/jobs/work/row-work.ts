import type { Outcome, Row } from '../journal/rows.ts';
import type { Session } from '../journal/session.ts';
import type { Json, StepContext } from '../types.ts';
import { type Attempt, HeldBackError, markLifetime, runAttempt } from './attempt.ts';
import type { Failures } from './failures.ts';
import type { KnownJob } from './known-job.ts';
import type { ActiveJob, Scheduler } from './scheduler.ts';
import type { Station } from './station.ts';
import { markerOf, type RowStep } from './steps.ts';
import { pause } from './waiting.ts';

/** Data shared by the rows of a chunk. */
export interface RowWork {
  readonly station: Station;
  readonly job: KnownJob;
  readonly failures: Failures;
  readonly scheduler: Scheduler;
  /** The job's rows and waits in this worker. */
  readonly active: ActiveJob;
  /** Host of the service, for reports of outages. */
  readonly host: string;
  /** Ends the work. No further requests are sent. */
  readonly signal: AbortSignal;
  /** When quotas are available again, by step and owner of the quota, in the time of `performance.now()`. */
  readonly blocked: Map<string, number>;
  /** Pauses the job, because every row would fail. */
  stop(reason: string): Promise<void>;
}

/** A row that this worker holds, with its current attempt. */
export interface Held {
  readonly row: Row;
  readonly worker: number;
  readonly attempt: number;
  readonly results: Record<string, Json>;
}

/** Milliseconds until the row should be processed again, or `undefined` if it should not. */
export type Wait = number | undefined;

/** Marks a row as done. */
export async function complete(
  work: RowWork,
  held: Held,
  reply: Pick<Outcome, 'kind' | 'isAnswered'> = {},
): Promise<Wait> {
  const { keep = 'results' } = work.job.definition;
  await write(work, held, {
    state: 'done',
    results: keep === 'nothing' ? null : held.results,
    forgetValues: keep !== 'everything',
    ...reply,
  });
  return undefined;
}

/** Writes the outcome of an attempt, if it is still the current one of the row. */
export async function write(
  work: RowWork,
  held: Held,
  outcome: Pick<Outcome, 'state'> & Partial<Outcome>,
): Promise<void> {
  const { row, worker, attempt, results } = held;
  await work.station.settle({
    job: row.job,
    seed: work.job.seed,
    number: row.number,
    attempt,
    worker,
    results,
    ...outcome,
  });
}

/**
 * Creates the attempt for the client's hook, which confirms before each request that writes that the worker still holds the row.
 *
 * @param sinceMark - returns the milliseconds since the worker requested the mark
 */
export function startAttempt(
  work: RowWork,
  held: Held,
  next: RowStep,
  session: Session,
  sinceMark: () => number,
): Attempt {
  const { station, job, signal } = work;
  const { row, attempt } = held;
  let age = sinceMark;
  let requests = 0;
  return {
    isLookup: false,
    account: job.account,
    deadline: job.deadline,
    quotaOf: next.step.quotaOf?.(row.values),
    isFresh: () => session.isAlive && age() <= markLifetime(job.deadline),
    async pace() {
      requests += 1;
      const { active, scheduler } = work;
      if (requests === 1 || active.limits.rate === null) return;
      await scheduler.outside(async () => pause(await station.limits.pace(job.id).catch(() => 1_000), signal));
    },
    async confirm() {
      const lifetime = markLifetime(job.deadline);
      if (age() > lifetime && session.isAlive) {
        age = await station.confirm({ job: job.id, number: row.number, attempt }, session);
      }
      if (age() > lifetime || !session.isAlive) throw new HeldBackError('The session of the worker has ended');
      if (signal.aborted) throw new HeldBackError('The work ended');
    },
  };
}

/** Runs `send` or `find` of a step as an attempt, with its context. Aborts the signal at the deadline. */
export async function runStep<Result>(
  work: RowWork,
  { row, results }: Held,
  { name, index }: RowStep,
  attempt: Attempt,
  run: (context: StepContext) => PromiseLike<Result>,
): Promise<Result> {
  const { station, job } = work;
  const controller = new AbortController();
  // Not `AbortSignal.timeout`, which would keep each attempt in memory until its deadline.
  const timer = setTimeout(() => {
    attempt.isOver = true;
    controller.abort(new DOMException('The deadline has passed', 'TimeoutError'));
  }, attempt.deadline);
  const context: StepContext = {
    api: station.apiFor(job.deadline),
    options: job.options,
    key: row.key,
    line: row.line,
    get marker() {
      return markerOf(job.seed, row.key, name);
    },
    results,
    index,
    signal: controller.signal,
  };
  try {
    return await runAttempt(attempt, () => run(context));
  } finally {
    clearTimeout(timer);
  }
}
