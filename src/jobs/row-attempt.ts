import { type Attempt, HeldBackError, runAttempt } from './attempt.ts';
import { markerOf } from './marker.ts';
import { deadlineOf, type Held, type RowWork, rateOf } from './row-work.ts';
import type { Session } from './session.ts';
import type { RowStep } from './steps.ts';
import type { StepContext } from './types.ts';

/** Milliseconds for which a mark counts without a new confirmation: a process that was paused for longer asks again. */
const markLifetime = 5_000;

/** The attempt as the hook of the client sees it: it asks before each request whether the worker still holds the row. */
export function startAttempt(work: RowWork, held: Held, next: RowStep, session: Session, asked: number): Attempt {
  const { station, job, signal } = work;
  const { row, attempt } = held;
  let confirmed = asked;
  let requests = 0;
  return {
    isLookup: false,
    account: job.account,
    deadline: deadlineOf(work),
    quotaOf: next.step.quotaOf?.(row.values),
    async pace() {
      requests += 1;
      if (requests > 1) await rateOf(work);
    },
    async confirm() {
      if (Date.now() - confirmed > markLifetime && session.isAlive) {
        const before = Date.now();
        const isHeld = await station.confirm({ job: job.id, number: row.number, attempt }, session).catch(() => false);
        confirmed = isHeld ? before : 0;
      }
      const isFresh = Date.now() - confirmed <= markLifetime;
      if (!isFresh || !session.isAlive) throw new HeldBackError('The session of the worker has ended');
      if (signal.aborted) throw new HeldBackError('The work ended');
    },
  };
}

/** Runs `send` or `find` of a step as an attempt, with what they receive. Its signal is aborted when the deadline has passed. */
export async function runStep<Result>(
  work: RowWork,
  { row, results }: Held,
  { name, index }: RowStep,
  attempt: Attempt,
  run: (context: StepContext) => PromiseLike<Result>,
): Promise<Result> {
  const { station, job } = work;
  const controller = new AbortController();
  // Cleared at the end: `AbortSignal.timeout` would keep each attempt in memory until its deadline.
  const timer = setTimeout(
    () => controller.abort(new DOMException('The deadline has passed', 'TimeoutError')),
    attempt.deadline,
  );
  const context: StepContext = {
    api: station.apiFor(job.definition),
    options: job.options,
    key: row.key,
    line: row.line,
    marker: markerOf(job.seed, row.key, name),
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
