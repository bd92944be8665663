import { LookupUnclearError } from 'carillon/journal';
import type { Outcome, Row } from '../journal/rows.ts';
import type { Session } from '../journal/session.ts';
import { toStorable } from '../store/storable.ts';
import type { Found } from '../types.ts';
import { HeldBackError } from './attempt.ts';
import { asError, canLookUpLater, reasonOf } from './judge.ts';
import { complete, type Held, type RowWork, runStep, startAttempt, type Wait, write } from './row-work.ts';
import { nextStep, type RowStep } from './steps.ts';
import { startStopwatch } from './waiting.ts';

/** Milliseconds before a failed lookup is retried. */
const retryAfter = 5_000;

/**
 * Determines the outcome of a row that was sent without a known outcome, after this worker took it over.
 *
 * @returns when the row should be processed again, immediately if the step was not done
 */
export async function lookUpRow(work: RowWork, row: Row, session: Session): Promise<Wait> {
  const { job, failures } = work;
  const held: Held = { row, worker: row.worker ?? 0, attempt: row.attempt, results: { ...row.results } };
  let next: RowStep | undefined;
  try {
    next = nextStep(job.definition, row.values, held.results);
  } catch (error) {
    const reason = `Its outcome is not known, and the program cannot look it up: ${reasonOf(asError(error))}`;
    await write(work, held, { state: 'unknown', reason });
    return undefined;
  }
  if (!next) return complete(work, held);
  const { step, name } = next;
  if (step.repeatable) return planAgain(work, held);
  const why = row.reason ? ` (${row.reason})` : '';
  if (!step.find)
    return giveUp(
      work,
      held,
      next,
      `Its outcome is not known${why}, and it cannot be looked up: check it in the service`,
    );
  const { sentAt } = row;
  try {
    const attempt = { ...startAttempt(work, held, next, session, startStopwatch()), isLookup: true };
    const found: Found | undefined = await runStep(work, held, next, attempt, async (context) =>
      step.find?.(row.values, { ...context, sentAt: sentAt ?? new Date() }),
    );
    failures.answerLookup();
    switch (found?.outcome) {
      case 'done': {
        const results = { ...held.results, [name]: toStorable(found.result) };
        if (!nextStep(job.definition, row.values, results)) return await complete(work, { ...held, results });
        return await planAgain(work, { ...held, results });
      }
      case 'not done':
        // The following steps were not sent either.
        return await planAgain(work, held, { isClear: true });
      case 'unknown':
        return await giveUp(work, held, next, unclear(why, found.reason));
      default:
        throw new TypeError(`find of the step ${name} must return done, not done or unknown, not ${String(found)}`);
    }
  } catch (thrown) {
    const error = asError(thrown);
    const isUnclear =
      error instanceof LookupUnclearError || (error instanceof Error && error.name === 'LookupUnclearError');
    if (error instanceof HeldBackError || (!isUnclear && canLookUpLater(error))) {
      await write(work, held, { state: 'sent', step: name, reason: reasonOf(error) });
      return retryAfter;
    }
    return giveUp(work, held, next, unclear(why, reasonOf(error)));
  }
}

function unclear(why: string, reason: string): string {
  return `Its outcome is not known${why}, and the lookup does not show whether it was processed: ${reason}`;
}

async function giveUp(work: RowWork, held: Held, { name }: RowStep, reason: string): Promise<Wait> {
  await write(work, held, { state: 'unknown', step: name, reason });
  return undefined;
}

async function planAgain(work: RowWork, held: Held, also: Pick<Outcome, 'isClear'> = {}): Promise<Wait> {
  await write(work, held, { state: 'planned', ...also });
  return 0;
}
