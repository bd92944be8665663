import { toStorable, UnstorableError } from '../store/storable.ts';
import type { RowOutcome } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import type { Json, StepContext } from '../types.ts';
import { abortableSleep, startStopwatch } from '../waiting.ts';
import { type Attempt, concernsAll, HeldBackError, type Hold, markLifetime, runAttempt } from './attempt.ts';
import { asError, classifyError, isOwnFailure, reasonOf, stackOf, type Verdict } from './classify-error.ts';
import type { Failures } from './failures.ts';
import type { Gate } from './gate.ts';
import type { KnownJob } from './known-job.ts';
import { describeOutage } from './outage.ts';
import { LogError } from './send-log.ts';
import { markerOf, nextStep, type RowStep } from './steps.ts';
import type { WorkerResources } from './worker-resources.ts';

/** Number of service failures on one row, while the service responds to other rows, after which the row is not tried again. */
const maxFailures = 5;

/** Number of program failures on different rows after which the job is paused, or on one row after which only that row is rejected. */
const maxOwnErrors = 5;

/** Milliseconds after which a row that could not be sent is tried again. */
export const shortWait = 500;

/** Shared by the rows of one job in this worker. */
export interface RowWork {
  readonly resources: WorkerResources;
  readonly job: KnownJob;
  readonly failures: Failures;
  readonly gate: Gate;
  /** Host of the service, for outage reports. */
  readonly host: string;
  /** Aborted when the work ends. No further requests are sent then. */
  readonly signal: AbortSignal;
  /** Whether the next step of a row may still be sent. */
  isRunning(): boolean;
  /** Stops sending rows of the job for some milliseconds. */
  rest(milliseconds: number): void;
  /** Stops sending rows of the job while its account waits. A person can end this wait. */
  restForAccount(milliseconds: number): void;
  /** Waits without counting the row as in flight. */
  outside(wait: () => Promise<unknown>): Promise<void>;
  /** Pauses the job, because every row would fail. */
  stop(reason: string): Promise<void>;
}

/** A row that this worker has claimed. */
export interface Held {
  readonly row: StoredRow;
  readonly results: Readonly<Record<string, Json>>;
  /** Milliseconds since the claim or the last confirmation of the row was requested. */
  age: () => number;
  /** Time (`performance.now()`) before which the row is not sent, according to the rate of its job. */
  readonly turn: number;
}

/** A row that stays with this worker and is tried again after some milliseconds, or `undefined` if it has ended. */
export type Next = undefined | { readonly again: Held; readonly after: number };

/** Sends the steps of a row one after the other, until a step has no result. */
export async function sendRow(work: RowWork, held: Held): Promise<Next> {
  const { job } = work;
  for (let row = held; ; ) {
    let next: RowStep | undefined;
    try {
      next = nextStep(job.definition, row.row.values, row.results);
    } catch (error) {
      return settleOwn(work, row, asError(error), undefined);
    }
    if (!next) return complete(work, row);
    // Do not wait for the store: the log has the result until the outcome is settled.
    if (row !== held) write(work, row, { state: 'claimed' });
    if (!work.isRunning()) return planAgain(work, row);
    const sent = await sendStep(work, row, next);
    if ('next' in sent) return sent.next;
    row = { ...row, results: { ...row.results, [next.name]: sent.result } };
  }
}

async function sendStep(work: RowWork, held: Held, next: RowStep): Promise<{ result: Json } | { next: Next }> {
  const { resources, failures, gate } = work;
  const hold = holdOf(work, held);
  const attempt: Attempt = { account: work.job.account, deadline: work.job.deadline, hold };
  const { name, step } = next;
  try {
    // This also protects programs that do not send their requests with the client.
    if (held.age() > markLifetime(work.job.deadline)) await hold.confirm();
    // A repeatable step needs no line: it is sent again after the process was killed.
    if (step.repeatable !== true) await resources.log.begin(held.row, name);
    const result = await runStep(work, held, next, attempt, (context) => step.send(held.row.values, context));
    failures.responded();
    gate.responded(step.name);
    return { result: toStorable(result) };
  } catch (thrown) {
    const error = asError(thrown);
    if (error instanceof LogError) {
      resources.missLog(error);
      gate.pass();
      return { next: { again: held, after: 2 * shortWait } };
    }
    if (error instanceof UnstorableError) {
      const reason = `The service responded, but the result cannot be stored: ${error.message}`;
      return { next: write(work, held, { state: 'unknown', step: name, reason }) };
    }
    if (error instanceof HeldBackError) attempt.heldBack ??= error;
    const verdict = classifyError(error, attempt, concernsAll);
    const hasLeft = attempt.writeOperation !== undefined;
    return { next: await settleError(work, held, next, { error, verdict, hasLeft }) };
  }
}

/** Writes the outcome that follows from an error in `send`. */
async function settleError(
  work: RowWork,
  held: Held,
  { name, step }: RowStep,
  { error, verdict, hasLeft }: { error: Error; verdict: Verdict; hasLeft: boolean },
): Promise<Next> {
  const { resources, failures, gate, job } = work;
  const failed = async (isLost: boolean): Promise<void> => {
    const failure = `the service at ${work.host} ${describeOutage(error)}`;
    const reason = gate.fail({ step: step.name, isLost, failure });
    if (reason !== undefined) await work.stop(reason);
  };
  const isGivenUp = isOwnFailure(error) && failures.failAt(`${held.row.number} ${name}`) >= maxFailures;
  const givenUp = `The service failed on this row ${maxFailures} times, while it responded to other requests: ${reasonOf(error)}`;
  switch (verdict.kind) {
    case 'rejected':
      if (hasLeft) {
        failures.responded();
        gate.responded(step.name);
      } else gate.pass();
      return write(work, held, { state: 'rejected', step: name, reason: verdict.reason, code: verdict.code });
    case 'lost': {
      // Write to the log first, before anything can end this process.
      const outcome = isGivenUp
        ? write(work, held, { state: 'unknown', step: name, reason: givenUp })
        : write(work, held, {
            state: 'doubt',
            step: name,
            reason: verdict.reason,
            lookUpIn: job.lookupAfter,
          });
      await failed(true);
      return outcome;
    }
    case 'wait': {
      const { milliseconds } = verdict;
      gate.pass();
      await resources.store.delayAccount(job, milliseconds).catch(() => undefined);
      work.restForAccount(milliseconds);
      return keep(work, held, shortWait);
    }
    case 'stop':
      gate.pass();
      planAgain(work, held);
      await work.stop(verdict.reason);
      return undefined;
    case 'own':
      gate.pass();
      return settleOwn(work, held, error, { name, step, index: 0 });
    case 'later': {
      if (verdict.all) await failed(false);
      else gate.pass();
      // Another worker looks up or sends the row.
      if (held.age() === Number.POSITIVE_INFINITY) return planAgain(work, held);
      if (isGivenUp) return write(work, held, { state: 'rejected', step: name, reason: givenUp });
      if (verdict.wait !== undefined) work.rest(verdict.wait);
      return keep(work, held, verdict.wait ?? shortWait);
    }
  }
}

/**
 * Tries a row again after the program failed before it sent a request. If the program fails on several consecutive rows, or has never
 * received a response, the job pauses. If it fails only on this row, the row is rejected.
 */
async function settleOwn(work: RowWork, held: Held, error: Error, next: RowStep | undefined): Promise<Next> {
  const reason = reasonOf(error);
  const { rows, times, hasWorked } = work.failures.failOwn(`${held.row.number}`);
  if (rows < maxOwnErrors && times >= maxOwnErrors && hasWorked)
    return write(work, held, {
      state: 'rejected',
      step: next?.name,
      reason: `The program failed on this row ${times} times: ${reason}`,
    });
  if (rows < maxOwnErrors && times < maxOwnErrors) return keep(work, held, 2 * shortWait);
  write(work, held, { state: 'planned', step: next?.name, reason });
  await work.stop(
    `The program failed ${maxOwnErrors} consecutive times before it sent a request, most recently on line ${held.row.line}. Correct the program, then resume the job. ${stackOf(error)}`,
  );
  return undefined;
}

/** Keeps a row for another attempt. No request of the row is in flight. */
function keep(work: RowWork, held: Held, after: number): Next {
  work.resources.note(outcomeOf(held, { state: 'planned' }));
  return { again: held, after };
}

function planAgain(work: RowWork, held: Held): undefined {
  return write(work, held, { state: 'planned' });
}

export function complete(work: Pick<RowWork, 'resources' | 'job'>, held: Held): undefined {
  return write(work, held, { state: 'done' });
}

/**
 * Writes the outcome of an attempt. The last outcomes of a job with limited concurrency are urgent, because other rows cannot be
 * claimed before these outcomes are stored.
 */
export function write(
  { resources, job }: Pick<RowWork, 'resources' | 'job'>,
  held: Held,
  outcome: Pick<RowOutcome, 'state'> & Partial<RowOutcome>,
): undefined {
  resources.settle(outcomeOf(held, outcome), { isUrgent: job.concurrency !== null && outcome.state !== 'claimed' });
}

function outcomeOf({ row, results }: Held, outcome: Pick<RowOutcome, 'state'> & Partial<RowOutcome>): RowOutcome {
  const { job, number, attempt, worker } = row;
  const known = Object.keys(results).length > 0 ? { results } : {};
  return { job, number, attempt, worker: worker ?? 0, ...known, ...outcome };
}

/** Creates the checks for sending a row. Before each request that writes, the client hook calls `confirm`. */
function holdOf(work: RowWork, held: Held): Hold {
  const { resources, job, signal } = work;
  const lifetime = markLifetime(job.deadline);
  let requests = 0;
  const isFresh = (): boolean => resources.isAlive() && held.age() <= lifetime;
  return {
    isFresh,
    async pace() {
      requests += 1;
      // The claim already includes the turn of the first request.
      if ((requests === 1 && Object.keys(held.results).length === 0) || job.rate === null) return;
      const turn = await resources.store.reserveTurn(job.id).catch(() => 1_000);
      if (turn > 0) await work.outside(() => abortableSleep(turn, signal));
    },
    async confirm() {
      if (held.age() > lifetime && resources.isAlive()) held.age = await confirmHeld(work, held);
      if (!isFresh()) throw new HeldBackError('The worker may have lost its claim on the row');
      if (signal.aborted) throw new HeldBackError('The work ended');
    },
  };
}

/** Renews the claim of a row. Resolves to a function that returns the age of the confirmation. */
async function confirmHeld({ resources }: RowWork, { row }: Held): Promise<() => number> {
  const age = startStopwatch();
  const isHeld = await resources.store.confirm(row).catch(() => false);
  return isHeld ? age : () => Number.POSITIVE_INFINITY;
}

/** Runs `send` or `find` of a step as an attempt, with the context of the step. Aborts the signal at the deadline. */
export async function runStep<Result>(
  { resources, job }: Pick<RowWork, 'resources' | 'job'>,
  { row, results }: Pick<Held, 'row' | 'results'>,
  { name, index }: RowStep,
  attempt: Attempt,
  run: (context: StepContext) => PromiseLike<Result>,
): Promise<Result> {
  const controller = new AbortController();
  // `AbortSignal.timeout` would keep each attempt in memory until its deadline.
  const timer = setTimeout(() => {
    attempt.isOver = true;
    controller.abort(new DOMException('The deadline has passed', 'TimeoutError'));
  }, attempt.deadline);
  const context: StepContext = {
    api: resources.apiFor(job.deadline),
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
