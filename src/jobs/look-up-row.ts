import { LookupUnclearError } from 'carillon/journal';
import { HeldBackError } from './attempt.ts';
import type { Row } from './journal.ts';
import { canLookUpLater, reasonOf } from './judge.ts';
import { describeFailure } from './outage.ts';
import { runStep, startAttempt } from './row-attempt.ts';
import { complete, type Held, type RowWork, type Wake, write } from './row-work.ts';
import type { Session } from './session.ts';
import { nextStep } from './steps.ts';

/**
 * Decides whether a row was processed that was sent and has no outcome, after this worker took it over.
 *
 * @returns when the row should be processed again: at once if nothing was done
 */
export async function lookUpRow(work: RowWork, row: Row, session: Session): Promise<Wake> {
  const { job, gate } = work;
  const held: Held = { row, worker: row.worker ?? 0, attempt: row.attempt, results: { ...row.results } };
  const next = nextStep(job.definition, row.values, held.results);
  if (!next) return complete(work, held);
  const { step, name } = next;
  if (step.repeatable) return again(work, held);
  if (!step.find) {
    await write(work, held, {
      state: 'unknown',
      step: name,
      reason: 'No reply came, and it cannot be looked up: check it in the service',
    });
    return undefined;
  }
  try {
    const attempt = { ...startAttempt(work, held, next, session, Date.now()), isLookup: true };
    const found = await runStep(work, held, next, attempt, async (context) => step.find?.(row.values, context));
    gate.open();
    if (found === undefined) return again(work, held);
    const results = { ...held.results, [name]: found };
    if (!nextStep(job.definition, row.values, results)) return complete(work, { ...held, results });
    return again(work, { ...held, results });
  } catch (error) {
    const isUnclear =
      error instanceof LookupUnclearError || (error instanceof Error && error.name === 'LookupUnclearError');
    if (error instanceof HeldBackError || (!isUnclear && canLookUpLater(error))) {
      gate.close(describeFailure(error));
      await write(work, held, { state: 'sent', step: name, reason: reasonOf(error) });
      return Date.now() + 5_000;
    }
    await write(work, held, {
      state: 'unknown',
      step: name,
      reason: `No reply came, and the lookup does not show whether it was processed: ${reasonOf(error)}`,
    });
    return undefined;
  }
}

async function again(work: RowWork, held: Held): Promise<Wake> {
  await write(work, held, { state: 'planned' });
  return Date.now();
}
