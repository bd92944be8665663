import { accountWait } from '../journal/limits.ts';
import type { AgedRow, Row } from '../journal/rows.ts';
import type { Session } from '../journal/session.ts';
import { toStorable, UnstorableError } from '../journal/storable.ts';
import type { Json } from '../types.ts';
import { concernsAll } from './attempt.ts';
import { asError, isOwnFailure, judge, reasonOf, stackOf } from './judge.ts';
import type { KnownJob } from './known-job.ts';
import { lookUpRow } from './look-up-row.ts';
import { describeFailure } from './outage.ts';
import { complete, type Held, type RowWork, rateOf, runStep, startAttempt, type Wait, write } from './row-work.ts';
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

/**
 * Sends the steps of a planned row one after the other. For each, marks the row, sends the request and writes the outcome. Looks
 * up the steps of a suspect row instead, until one was not done.
 *
 * @returns when the row should be processed again
 */
export async function sendRow(work: RowWork, row: AgedRow): Promise<Wait> {
  const { station, job, gate, signal, blocked } = work;
  let attempt = row.attempt;
  let results = { ...row.results };
  // A request whose mark was lost in a failover may still be processed.
  if (row.isSuspect && row.age !== null && row.age <= job.lookupAfter) return job.lookupAfter - row.age + 50;
  for (;;) {
    const { next, broken } = tryNextStep(job.definition, row, results);
    const quota = broken ? '' : quotaOf(row, next);
    const isBlocked = (blocked.get(quota) ?? 0) - performance.now();
    if (isBlocked > 0) return isBlocked;
    if (gate.wait > 0) return rest(work, gate.wait);
    if (signal.aborted || !(await rateOf(work))) return 0;

    const sinceMark = startStopwatch();
    const sending = { job: job.id, seed: job.seed, number: row.number, attempt, step: next?.name, results };
    const marked = await station.mark(sending).catch(async (error: unknown) => {
      // Plan the row again. The commit may have succeeded, but the request was not sent.
      const worker = error instanceof MarkError ? error.worker : 0;
      await write(work, { row, worker, attempt: attempt + 1, results }, { state: 'planned' });
      return undefined;
    });
    if (!marked) return shortWait;
    if (marked.attempt === null) {
      if (marked.wait !== null) {
        const wait = station.localWait(marked.wait);
        gate.rest(wait);
        return rest(work, wait);
      }
      // The job was paused or cancelled, another worker changed the row, or the limit of rows in flight is reached.
      return marked.jobState === 'running' ? 200 : undefined;
    }
    attempt = marked.attempt;
    const held: Held = { row, worker: marked.worker, attempt, results };
    if (broken) return settleOwn(work, held, broken.error, undefined);
    if (!next) return complete(work, held);
    if (row.isSuspect && !next.step.repeatable) {
      return lookUpRow(work, { ...row, worker: held.worker, attempt, results }, marked.session);
    }
    const outcome = await sendStep(work, held, next, marked.session, sinceMark);
    if ('wait' in outcome) return outcome.wait;
    results = { ...results, [next.name]: outcome.result };
    const reply = { kind: next.step.name, isAnswered: true };
    if (!nextStep(job.definition, row.values, results)) return complete(work, { ...held, results }, reply);
    await write(work, { ...held, results }, { state: 'planned', ...reply });
  }
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
async function settleOwn(work: RowWork, held: Held, error: unknown, step: string | undefined): Promise<Wait> {
  const reason = reasonOf(error);
  const { rows, times, hasWorked } = work.gate.failOwn(`${held.row.job}.${held.row.number}`);
  if (rows < maxOwnErrors && times >= maxOwnErrors && hasWorked) {
    await write(work, held, { state: 'refused', step, reason: `The program failed at it ${times} times: ${reason}` });
    return undefined;
  }
  await write(work, held, { state: 'planned', step, reason });
  if (rows < maxOwnErrors && times < maxOwnErrors) return 2 * shortWait;
  await work.stop(
    `The program failed ${maxOwnErrors} times in a row before it sent a request, last at line ${held.row.line}. Correct it, then resume the job. ${stackOf(error)}`,
  );
  return undefined;
}

/** Key of the quota of a step. */
function quotaOf({ values }: Row, next: RowStep | undefined): string {
  return `${next?.name} ${next?.step.quotaOf?.(values)}`;
}

/** Pauses the queue, because all its rows would wait equally long. */
function rest(work: RowWork, milliseconds: number): number {
  work.rest(milliseconds);
  return milliseconds;
}

async function sendStep(
  work: RowWork,
  held: Held,
  next: RowStep,
  session: Session,
  sinceMark: () => number,
): Promise<{ result: Json } | { wait: Wait }> {
  const attempt = startAttempt(work, held, next, session, sinceMark);
  try {
    const result = await runStep(work, held, next, attempt, (context) => next.step.send(held.row.values, context));
    work.gate.open();
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
  { name, step }: RowStep,
  {
    error,
    verdict,
    sinceMark,
    hasLeft,
  }: { error: unknown; verdict: ReturnType<typeof judge>; sinceMark: () => number; hasLeft: boolean },
): Promise<Wait> {
  const lost = { kind: step.name, isAnswered: false };
  const { station, gate, job } = work;
  const isGivenUp = isOwnFailure(error) && gate.failAt(`${held.row.number} ${name}`) >= maxFailures;
  const failed = `The service failed at it ${maxFailures} times, while it answered other requests: ${reasonOf(error)}`;
  switch (verdict.kind) {
    case 'refused':
      if (hasLeft) gate.open();
      await write(work, held, {
        ...{ state: 'refused', step: name, reason: verdict.reason, code: verdict.code },
        ...(hasLeft && { kind: step.name, isAnswered: true }),
      });
      return undefined;
    case 'lost': {
      if (isGivenUp) {
        await write(work, held, { state: 'unknown', step: name, reason: failed, ...lost });
        return undefined;
      }
      // A process that was suspended right before its request sends it when it continues, although its deadline has passed.
      const isLate = sinceMark() > job.deadline + lateness;
      gate.lose(describeFailure(error));
      await write(work, held, { state: 'sent', step: name, reason: verdict.reason, isLate, ...lost });
      return job.lookupAfter;
    }
    case 'wait':
      await station.limits.wait(accountWait(job), verdict.milliseconds).catch(() => undefined);
      await write(work, held, { state: 'planned', kind: step.name });
      return rest(work, verdict.milliseconds);
    case 'stop':
      await write(work, held, { state: 'planned', kind: step.name });
      await work.stop(verdict.reason);
      return undefined;
    case 'own':
      return settleOwn(work, held, error, name);
    case 'later': {
      if (isGivenUp) {
        await write(work, held, { state: 'refused', step: name, reason: failed });
        return undefined;
      }
      if (verdict.all) gate.close(describeFailure(error));
      await write(work, held, { state: 'planned', kind: step.name });
      if (verdict.wait === undefined) return verdict.all ? rest(work, Math.max(gate.wait, 1)) : shortWait;
      const wait = station.localWait(verdict.wait);
      work.blocked.set(quotaOf(held.row, { name, step, index: 0 }), performance.now() + wait);
      // With `quotaOf`, other rows may have another quota, such as the one of another website.
      if (!step.quotaOf) work.rest(wait);
      return wait;
    }
  }
}
