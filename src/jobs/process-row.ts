import type { Row } from './journal.ts';
import { isOwnFailure, judge, reasonOf } from './judge.ts';
import { describeFailure } from './outage.ts';
import { runStep, startAttempt } from './row-attempt.ts';
import { complete, deadlineOf, type Held, type RowWork, rateOf, type Wake, write } from './row-work.ts';
import type { Session } from './session.ts';
import { MarkError } from './station.ts';
import { nextStep, type RowStep } from './steps.ts';
import type { Json } from './types.ts';

/** Milliseconds after the deadline at which a request ends that was not held up. */
const lateness = 500;

/** Lost replies in a row after which a job whose step has no lookup is paused. */
const mostLost = 20;

/** Failures of the service at one row, while it answers other requests, after which the row is given up. */
const mostFailures = 5;

/**
 * Sends the steps of a planned row, one after the other: marks it, sends, writes the outcome.
 *
 * @returns when the row should be processed again
 */
export async function sendRow(work: RowWork, row: Row): Promise<Wake> {
  const { station, job, gate, signal, blocked } = work;
  let attempt = row.attempt;
  let results = { ...row.results };
  for (;;) {
    const next = nextStep(job.definition, row.values, results);
    const quota = `${next?.name} ${next?.step.quotaOf?.(row.values)}`;
    const until = blocked.get(quota);
    if (until !== undefined && until > Date.now()) return until;
    if (gate.wait > 0) return Date.now() + gate.wait;
    if (signal.aborted || !(await rateOf(work))) return Date.now();

    const asked = Date.now();
    const marked = await station.mark({ job: job.id, number: row.number, attempt }).catch(async (error: unknown) => {
      // The commit may have happened, but nothing was sent: the row is planned again.
      const worker = error instanceof MarkError ? error.worker : 0;
      await write(work, { row, worker, attempt: attempt + 1, results }, { state: 'planned' });
      return undefined;
    });
    if (!marked) return Date.now() + 500;
    if (marked.attempt === null) {
      if (marked.waitUntil) return station.localTime(marked.waitUntil);
      // Paused, cancelled, changed by another worker, or the limit of rows in flight is reached.
      return marked.jobState === 'running' ? Date.now() + 200 : undefined;
    }
    attempt = marked.attempt;
    const held: Held = { row, worker: marked.worker, attempt, results };
    if (!next) return complete(work, held);
    const outcome = await sendStep(work, held, next, marked.session, asked, quota);
    if ('wake' in outcome) return outcome.wake;
    results = { ...results, [next.name]: outcome.result };
    if (!nextStep(job.definition, row.values, results)) return complete(work, { ...held, results });
    await write(work, { ...held, results }, { state: 'planned' });
  }
}

async function sendStep(
  work: RowWork,
  held: Held,
  next: RowStep,
  session: Session,
  asked: number,
  quota: string,
): Promise<{ result: Json } | { wake: Wake }> {
  const { station, gate } = work;
  const attempt = startAttempt(work, held, next, session, asked);
  try {
    const result = await runStep(work, held, next, attempt, (context) => next.step.send(held.row.values, context));
    gate.open();
    // Nothing to return is `null` in JSON.
    return { result: result ?? null };
  } catch (error) {
    const verdict = judge(error, attempt);
    const isGivenUp = isOwnFailure(error) && gate.failAt(`${held.row.number} ${next.name}`) >= mostFailures;
    const failed = `The service failed at it ${mostFailures} times, while it answered other requests: ${reasonOf(error)}`;
    switch (verdict.kind) {
      case 'refused':
        gate.open();
        await write(work, held, { state: 'refused', step: next.name, reason: verdict.reason, code: verdict.code });
        return { wake: undefined };
      case 'lost': {
        if (isGivenUp) {
          await write(work, held, { state: 'unknown', step: next.name, reason: failed });
          return { wake: undefined };
        }
        // A process that was paused right before its request sends it when it continues, and its deadline ends at once.
        const isLate = Date.now() - asked > deadlineOf(work) + lateness;
        await write(work, held, { state: 'sent', step: next.name, reason: verdict.reason, isLate });
        const isLookedUp = next.step.find !== undefined || next.step.repeatable === true;
        if (gate.lose(describeFailure(error)) >= mostLost && !isLookedUp) {
          await work.stop(`${mostLost} requests in a row had no reply. Check the service, then resume the job`);
        }
        return { wake: Date.now() + deadlineOf(work) };
      }
      case 'wait':
        await station.limits.wait(work.job.account, verdict.milliseconds).catch(() => undefined);
        await write(work, held, { state: 'planned' });
        return { wake: Date.now() + verdict.milliseconds };
      case 'stop':
        await write(work, held, { state: 'planned' });
        await work.stop(verdict.reason);
        return { wake: undefined };
      case 'later': {
        if (isGivenUp) {
          await write(work, held, { state: 'refused', step: next.name, reason: failed });
          return { wake: undefined };
        }
        if (verdict.all) gate.close(describeFailure(error));
        await write(work, held, { state: 'planned' });
        const wake = verdict.until ? station.localTime(verdict.until) : Date.now() + 500;
        if (verdict.until) work.blocked.set(quota, wake);
        return { wake };
      }
    }
  }
}
