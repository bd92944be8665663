import { accountWait } from '../journal/limits.ts';
import type { AgedRow, Row } from '../journal/rows.ts';
import type { Session } from '../journal/session.ts';
import { toStorable, UnstorableError } from '../store/storable.ts';
import type { Json } from '../types.ts';
import { concernsAll } from './attempt.ts';
import { asError, isOwnFailure, judge, reasonOf, stackOf } from './judge.ts';
import type { KnownJob } from './known-job.ts';
import { lookUpRow } from './look-up-row.ts';
import { describeFailure } from './outage.ts';
import { complete, type Held, type RowWork, runStep, startAttempt, type Wait, write } from './row-work.ts';
import { MarkError } from './station.ts';
import { nextStep, type RowStep } from './steps.ts';
import { startStopwatch } from './waiting.ts';

/** Milliseconds after the deadline by which a request ends if the process was not suspended. */
const lateness = 500;

/** Failures of the service at one row, while it answers other requests, after which the row is not tried again. */
const maxFailures = 5;

/** Failures of the program at different rows, after which the job is paused, and at one row, after which only that row is refused. */
const maxOwnErrors = 5;

/** Default time in milliseconds before a row that could not be sent is tried again. */
const shortWait = 500;

/** Waits that a service asks for are at most this long, in milliseconds. A longer one pauses the job. */
const maxServiceWait = 3_600_000;

/** A row that waits for its place again, with what is known about it now. */
export interface Again {
  readonly again: AgedRow;
  /** Milliseconds until then. Other rows of the job go first, because this one failed. */
  readonly after?: number;
}

/**
 * Sends the next step of a planned row: marks the row, sends the request and writes the outcome. Looks up the steps of a suspect row
 * instead, until one was not done.
 *
 * @param leave - leaves the place of the row. Called when its request has been answered
 * @returns when the row should be processed again, or the row if it waits for its next step, or with its job
 */
export async function sendRow(work: RowWork, row: AgedRow, leave: () => void): Promise<Wait | Again> {
  const { station, job, active, scheduler, signal, blocked } = work;
  // A request whose mark was lost in a failover may still be processed.
  if (row.isSuspect && row.age !== null && row.age <= job.lookupAfter) return job.lookupAfter - row.age + 50;
  const results = { ...row.results };
  const { next, broken } = tryNextStep(job.definition, row, results);
  const quota = broken ? '' : quotaOf(row, next);
  const isBlocked = (blocked.get(quota) ?? 0) - performance.now();
  if (isBlocked > 0) return isBlocked;
  if (signal.aborted) return 0;

  const sinceMark = startStopwatch();
  const sending = {
    ...{ job: job.id, seed: job.seed, number: row.number, attempt: row.attempt, step: next?.name, results },
    isCounted: active.limits.concurrency !== null,
  };
  const marked = await station.mark(sending).catch(async (error: unknown) => {
    // Plan the row again. The commit may have succeeded, but the request was not sent.
    const worker = error instanceof MarkError ? error.worker : 0;
    await write(work, { row, worker, attempt: row.attempt + 1, results }, { state: 'planned' });
    return undefined;
  });
  if (!marked) return shortWait;
  const { attempt } = marked;
  if (attempt === null) {
    // The job was paused or cancelled.
    if (marked.jobState !== 'running') return undefined;
    if (marked.wait !== null) scheduler.rest(active, station.localWait(marked.wait));
    else if (marked.isFull) scheduler.restFull(active);
    // Another worker changed the row.
    else return 200;
    return { again: row };
  }
  const held: Held = { row, worker: marked.worker, attempt, results };
  if (broken) return settleOwn(work, held, broken.error, undefined);
  if (!next) return complete(work, held);
  if (row.isSuspect && !next.step.repeatable) {
    return lookUpRow(work, { ...row, worker: held.worker, attempt, results }, marked.session);
  }
  const outcome = await sendStep(work, held, next, marked.session, sinceMark);
  if ('wait' in outcome) return outcome.wait;
  const done = { ...results, [next.name]: outcome.result };
  const reply = { kind: next.step.name, isAnswered: true };
  const isDone = !nextStep(job.definition, row.values, done);
  const answered = { ...held, results: done };
  const written = isDone ? complete(work, answered, reply) : write(work, answered, { state: 'planned', ...reply });
  // The next row shares the commit of this outcome. If rows are counted, it has to wait for it.
  if (active.limits.concurrency === null && !active.isTrying) leave();
  await written;
  return isDone ? undefined : { again: { ...row, attempt, results: done } };
}

/** Returns the next step, or the error of a function of the definition, such as `applies`. */
function tryNextStep(
  definition: KnownJob['definition'],
  row: Row,
  results: Record<string, Json>,
): { next?: RowStep | undefined; broken?: { error: unknown } } {
  try {
    const next = nextStep(definition, row.values, results);
    quotaOf(row, next);
    return { next };
  } catch (error) {
    return { broken: { error: asError(error) } };
  }
}

/**
 * Plans a row again after the program failed before it sent a request. If it fails at several rows in a row, or has not worked
 * yet, the job pauses. If it fails only at this one, the row is refused.
 */
async function settleOwn(work: RowWork, held: Held, error: unknown, next: RowStep | undefined): Promise<Wait | Again> {
  const reason = reasonOf(error);
  const of = next ? { step: next.name, kind: next.step.name } : {};
  const { rows, times, hasWorked } = work.failures.failOwn(`${held.row.number}`);
  if (rows < maxOwnErrors && times >= maxOwnErrors && hasWorked) {
    await write(work, held, { state: 'refused', ...of, reason: `The program failed at it ${times} times: ${reason}` });
    return undefined;
  }
  await write(work, held, { state: 'planned', ...of, reason });
  if (rows < maxOwnErrors && times < maxOwnErrors) return again(held, 2 * shortWait);
  await work.stop(
    `The program failed ${maxOwnErrors} times in a row before it sent a request, last at line ${held.row.line}. Correct it, then resume the job. ${stackOf(error)}`,
  );
  return undefined;
}

/** Key of the quota of a step. */
function quotaOf({ values }: Row, next: RowStep | undefined): string {
  return `${next?.name} ${next?.step.quotaOf?.(values)}`;
}

async function sendStep(
  work: RowWork,
  held: Held,
  next: RowStep,
  session: Session,
  sinceMark: () => number,
): Promise<{ result: Json } | { wait: Wait | Again }> {
  const attempt = startAttempt(work, held, next, session, sinceMark);
  try {
    const result = await runStep(work, held, next, attempt, (context) => next.step.send(held.row.values, context));
    work.failures.answer();
    return { result: toStorable(result) };
  } catch (thrown) {
    const error = asError(thrown);
    if (error instanceof UnstorableError) {
      const reason = `The request was answered, but its result cannot be stored: ${error.message}`;
      const reply = { kind: next.step.name, isAnswered: true };
      await write(work, held, { state: 'unknown', step: next.name, reason, ...reply });
      return { wait: undefined };
    }
    return {
      wait: await settleError(work, held, next, {
        error,
        verdict: judge(error, attempt, concernsAll),
        sinceMark,
        hasLeft: attempt.writeOperation !== undefined,
      }),
    };
  }
}

/** Writes the outcome for an error of `send`. Returns when the row should be processed again. */
async function settleError(
  work: RowWork,
  held: Held,
  next: RowStep,
  {
    error,
    verdict,
    sinceMark,
    hasLeft,
  }: { error: unknown; verdict: ReturnType<typeof judge>; sinceMark: () => number; hasLeft: boolean },
): Promise<Wait | Again> {
  const { name, step } = next;
  const { station, failures, scheduler, active, job } = work;
  const failure = `the service at ${work.host} ${describeFailure(error)}`;
  const lost = { kind: step.name, isAnswered: false, failure };
  const isGivenUp = isOwnFailure(error) && failures.failAt(`${held.row.number} ${name}`) >= maxFailures;
  const failed = `The service failed at it ${maxFailures} times, while it answered other requests: ${reasonOf(error)}`;
  switch (verdict.kind) {
    case 'refused':
      if (hasLeft) failures.answer();
      await write(work, held, {
        ...{ state: 'refused', step: name, reason: verdict.reason, code: verdict.code, kind: step.name },
        ...(hasLeft && { isAnswered: true }),
      });
      return undefined;
    case 'lost': {
      if (isGivenUp) {
        await write(work, held, { state: 'unknown', step: name, reason: failed, ...lost });
        return undefined;
      }
      // A process that was suspended right before its request sends it when it continues, although its deadline has passed.
      const isLate = sinceMark() > job.deadline + lateness;
      await write(work, held, { state: 'sent', step: name, reason: verdict.reason, isLate, ...lost });
      return job.lookupAfter;
    }
    case 'wait': {
      const { milliseconds } = verdict;
      if (milliseconds > maxServiceWait) await work.stop(describeWait(milliseconds));
      else {
        await station.limits.wait(accountWait(job), milliseconds).catch(() => undefined);
        scheduler.rest(active, milliseconds);
      }
      await write(work, held, { state: 'planned', kind: step.name });
      return again(held, shortWait);
    }
    case 'stop':
      await write(work, held, { state: 'planned', kind: step.name });
      await work.stop(verdict.reason);
      return undefined;
    case 'own':
      return settleOwn(work, held, error, next);
    case 'later': {
      if (isGivenUp) {
        await write(work, held, { state: 'refused', step: name, reason: failed, kind: step.name });
        return undefined;
      }
      await write(work, held, { state: 'planned', kind: step.name, ...(verdict.all && { failure }) });
      if (verdict.wait === undefined) return again(held, shortWait);
      const wait = station.localWait(verdict.wait);
      work.blocked.set(quotaOf(held.row, next), performance.now() + wait);
      // With `quotaOf`, other rows may have another quota, such as the one of another website.
      if (!step.quotaOf) scheduler.rest(active, wait);
      return wait;
    }
  }
}

/** A row that was planned again. */
function again({ row, attempt, results }: Held, after: number): Again {
  return { again: { ...row, age: null, attempt, results }, after };
}

function describeWait(milliseconds: number): string {
  const hours = (milliseconds / 3_600_000).toLocaleString('en', { maximumFractionDigits: 1 });
  const until = new Date(Date.now() + milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
  return `The service asks to wait for ${hours} hours (Retry-After), until ${until}. Resume the job then, or earlier.`;
}
