import { LookupUnclearError } from '../journal/outcome.ts';
import { type Attempt, HeldBackError, runAttempt } from './attempt.ts';
import type { Gate } from './gate.ts';
import type { Outcome, Row } from './journal.ts';
import { canLookUpLater, judge, reasonOf } from './judge.ts';
import type { KnownJob } from './known-job.ts';
import { markerOf } from './marker.ts';
import type { Session } from './session.ts';
import { defaultDeadline, MarkError, type Station } from './station.ts';
import { nextStep, type RowStep } from './steps.ts';
import type { Json, StepContext } from './types.ts';

/** Milliseconds for which a mark counts without a new confirmation: a process that was paused for longer asks again. */
const markLifetime = 5_000;

/** Lost replies in a row after which a job whose step has no lookup is paused. */
const mostLost = 20;

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
interface Held {
  readonly row: Row;
  readonly worker: number;
  readonly attempt: number;
  readonly results: Record<string, Json>;
}

/** When the row should be processed again, in milliseconds since 1970; `undefined` if it needs nothing more now. */
export type Wake = number | undefined;

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

/** Waits for the rate of the job. Returns `false` if the work ended meanwhile. */
async function rateOf({ station, job, signal }: RowWork): Promise<boolean> {
  const { rate } = job;
  if (rate === null) return true;
  const wait = await station.limits.pace(job.id, rate).catch(() => 1_000);
  await pause(wait, signal);
  return !signal.aborted;
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
    const result = await runAttempt(attempt, () => next.step.send(held.row.values, contextOf(work, held, next)));
    gate.open();
    // Nothing to return is `null` in JSON.
    return { result: result ?? null };
  } catch (error) {
    const verdict = judge(error, attempt);
    switch (verdict.kind) {
      case 'refused':
        gate.open();
        await write(work, held, { state: 'refused', step: next.name, reason: verdict.reason, code: verdict.code });
        return { wake: undefined };
      case 'lost': {
        await write(work, held, { state: 'sent', step: next.name, reason: verdict.reason });
        const isLookedUp = next.step.find !== undefined || next.step.repeatable === true;
        if (gate.lose() >= mostLost && !isLookedUp) {
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
        if (verdict.all) gate.close();
        await write(work, held, { state: 'planned' });
        const wake = verdict.until ? station.localTime(verdict.until) : Date.now() + 500;
        if (verdict.until) work.blocked.set(quota, wake);
        return { wake };
      }
    }
  }
}

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
    const found = await runAttempt(attempt, () => step.find?.(row.values, contextOf(work, held, next)));
    gate.open();
    if (found === undefined) return again(work, held);
    const results = { ...held.results, [name]: found };
    if (!nextStep(job.definition, row.values, results)) return complete(work, { ...held, results });
    return again(work, { ...held, results });
  } catch (error) {
    const isUnclear =
      error instanceof LookupUnclearError || (error instanceof Error && error.name === 'LookupUnclearError');
    if (error instanceof HeldBackError || (!isUnclear && canLookUpLater(error))) {
      gate.close();
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

async function complete(work: RowWork, held: Held): Promise<Wake> {
  const { keep = 'nothing' } = work.job.definition;
  await write(work, held, {
    state: 'done',
    results: keep === 'nothing' ? null : held.results,
    forgetValues: keep !== 'everything',
  });
  return undefined;
}

async function write(work: RowWork, held: Held, outcome: Pick<Outcome, 'state'> & Partial<Outcome>): Promise<void> {
  const { row, worker, attempt, results } = held;
  await work.station.settle({ job: row.job, number: row.number, attempt, worker, results, ...outcome });
}

function startAttempt(work: RowWork, held: Held, next: RowStep, session: Session, asked: number): Attempt {
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

function contextOf(work: RowWork, { row, results }: Held, { name, index }: RowStep): StepContext {
  const { station, job } = work;
  return {
    api: station.apiFor(job.definition),
    options: job.options,
    key: row.key,
    line: row.line,
    marker: markerOf(job.seed, row.key, name),
    results,
    index,
    signal: AbortSignal.timeout(deadlineOf(work)),
  };
}

export function deadlineOf({ job }: Pick<RowWork, 'job'>): number {
  return job.definition.deadline ?? defaultDeadline;
}

/** Resolves after a time, or when the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
