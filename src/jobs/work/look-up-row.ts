import { isNamed } from '../outcome.ts';
import { toStorable } from '../store/storable.ts';
import type { RowOutcome } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import type { Found, Json } from '../types.ts';
import { type Attempt, HeldBackError } from './attempt.ts';
import { asError, canLookUpLater, reasonOf } from './classify-error.ts';
import { complete, type RowWork, runStep, write } from './send-row.ts';
import { nextStep, type RowStep } from './steps.ts';

/** Milliseconds before a failed lookup is retried. */
const retryAfter = 5_000;

type LookupWork = Pick<RowWork, 'resources' | 'job' | 'failures'>;

/** Determines the outcome of a row in doubt, once its request can no longer be processed. */
export async function lookUpRow(work: LookupWork, row: StoredRow): Promise<void> {
  for (let results = row.results ?? {}; ; ) {
    const found = await lookUpStep(work, row, results);
    if (!found) return;
    results = found;
  }
}

/** Looks up the next step of a row. Returns the results of the row if the following step also has to be looked up. */
async function lookUpStep(
  work: LookupWork,
  row: StoredRow,
  results: Readonly<Record<string, Json>>,
): Promise<Record<string, Json> | undefined> {
  const { job, failures } = work;
  const held = { row, results, age: () => 0, turn: 0 };
  const end = (outcome: Pick<RowOutcome, 'state'> & Partial<RowOutcome>): undefined => write(work, held, outcome);
  let next: RowStep | undefined;
  try {
    next = nextStep(job.definition, row.values, results);
  } catch (error) {
    return end({
      state: 'unknown',
      reason: `The outcome is not known, and the program cannot look it up: ${reasonOf(asError(error))}`,
    });
  }
  if (!next) return complete(work, held);
  const { step, name } = next;
  if (step.repeatable) return end({ state: 'planned' });
  const why = row.reason ? ` (${row.reason})` : '';
  const unclear = (reason: string): string =>
    `The outcome is not known${why}, and the lookup does not show whether the request was processed: ${reason}`;
  if (!step.find) {
    const reason = `The outcome is not known${why} and cannot be looked up: check in the service whether the row was processed`;
    return end({ state: 'unknown', step: name, reason });
  }
  const attempt: Attempt = { account: job.account, deadline: job.deadline };
  try {
    const found: Found | undefined = await runStep(work, held, next, attempt, async (context) =>
      step.find?.(row.values, {
        ...context,
        sentAt: new Date(row.sentAt ?? Date.now()),
        isRepaired: job.repairedAt !== null,
      }),
    );
    failures.lookupResponded();
    switch (found?.outcome) {
      case 'done': {
        const done = { ...results, [name]: toStorable(found.result) };
        if (!nextStep(job.definition, row.values, done)) return complete(work, { ...held, results: done });
        // Without the name of the step in doubt, the following steps may also have been sent.
        if (row.step === null) return done;
        return write(work, { ...held, results: done }, { state: 'planned' });
      }
      case 'not done':
        // The following steps were not sent either.
        return end({ state: 'planned' });
      case 'unknown':
        return end({ state: 'unknown', step: name, reason: unclear(found.reason) });
      default:
        throw new TypeError(
          `The find function of step ${name} must return 'done', 'not done' or 'unknown', not '${String(found)}'`,
        );
    }
  } catch (thrown) {
    const error = asError(thrown);
    const isUnclear = isNamed(error, 'LookupUnclearError');
    // A lookup that exceeded its deadline proves nothing.
    const isLater = attempt.isOver === true || error instanceof HeldBackError || canLookUpLater(error);
    if (!isUnclear && isLater)
      return end({
        state: 'doubt',
        step: row.step ?? undefined,
        reason: reasonOf(error),
        lookUpIn: retryAfter,
        isFromNow: true,
      });
    return end({ state: 'unknown', step: name, reason: unclear(reasonOf(error)) });
  }
}
