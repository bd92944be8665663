import { JobsError } from '../jobs-error.ts';
import { isPassing } from '../store/explain.ts';
import { type AgedRow, closeChunk, type Row, readChunk, takeOver } from '../journal/rows.ts';
import type { Session } from '../journal/session.ts';
import { stackOf } from './judge.ts';
import type { KnownJob } from './known-job.ts';
import type { LateTruth } from './late-truth.ts';
import { lookUpRow } from './look-up-row.ts';
import type { RowWork } from './row-work.ts';
import type { Order, Place } from './scheduler.ts';
import { sendRow } from './send-row.ts';
import { nextStep } from './steps.ts';
import { pause } from './waiting.ts';

/** Data that a worker shares among its chunks. */
export interface ChunkWork extends RowWork {
  /** Rows that this process holds, as `job.number`. Needed because a chunk can be delivered twice. */
  readonly held: Set<string>;
  /** Leaves out people who do not want what the job sends. */
  readonly truth: LateTruth;
  /** Called when the rows of the chunk have been read and wait for their places. */
  onLoaded(): void;
}

/** Default time in milliseconds until a chunk is delivered again. */
const usualWait = 2_000;

/**
 * Processes the open rows of a chunk. Looks up sent rows, and sends planned rows if the job is running. Closes the chunk if no
 * open rows are left.
 *
 * @returns milliseconds until the chunk should be delivered again, or `undefined` if it is closed or has no pending work while
 * the job is paused
 */
export async function processChunk(work: ChunkWork, chunk: number): Promise<number | undefined> {
  const { station, job, held } = work;
  const begun = performance.now();
  const open = await readChunk(station.db, job.id, chunk, job.state === 'running' ? ['planned', 'sent'] : ['sent']);
  const rows = open.filter((row) => !held.has(keyOf(row)));
  let earliest = rows.length < open.length ? begun + 1_000 : Number.POSITIVE_INFINITY;
  /** Requests that the chunk is delivered again after a time. */
  const later = (milliseconds: number): void => {
    earliest = Math.min(earliest, performance.now() + milliseconds);
  };
  const sent = rows.filter(({ state }) => state === 'sent');
  const due = sent.filter(({ age }) => age !== null && age > job.lookupAfter);
  for (const { age } of sent) if (age === null || age <= job.lookupAfter) later(job.lookupAfter - (age ?? 0) + 50);

  const tasks: Promise<void>[] = [];
  const start = (run: Promise<number | undefined>): void => {
    const task = run.then((wait) => {
      if (wait !== undefined) later(wait);
    });
    // Awaited later.
    task.catch(() => undefined);
    tasks.push(task);
  };
  const checked = await work.truth.check(
    job,
    rows.filter(({ state }) => state === 'planned'),
  );
  if (checked.wait !== undefined) later(checked.wait);
  for (const row of checked.rows) start(sendSteps(work, row, begun + checked.validFor));
  if (due.length > 0) {
    const { session } = station;
    const given = {
      job: job.id,
      rows: due.map((row) => ({ number: row.number, kind: kindOf(job, row) })),
      worker: session.worker,
    };
    const taken = await session.run((client) => takeOver(client, station.db.schema, given));
    // The other rows are held by workers that are alive.
    if (taken.length < due.length) later(Math.min(usualWait, job.deadline));
    for (const row of taken) start(lookUp(work, row, session));
  }
  work.onLoaded();
  await Promise.all(tasks);
  if (await closeChunk(station.db, job.id, chunk)) return undefined;
  if (earliest === Number.POSITIVE_INFINITY) return job.state === 'running' ? usualWait : undefined;
  return Math.max(0, earliest - performance.now());
}

/**
 * Sends the steps of a row one after the other. Each takes a place of its own.
 *
 * @param validUntil - time of `performance.now()` from which the row is read and checked again in place of being sent
 */
async function sendSteps(work: ChunkWork, first: AgedRow, validUntil: number): Promise<number | undefined> {
  const { scheduler, active, signal } = work;
  let order: Order = 'last';
  for (let row = first; ; ) {
    const place: Place = { isSending: true, order };
    const given = row;
    const ended = await scheduler.run(active, place, async (leave) => {
      if (performance.now() <= validUntil) return guard(work, given, () => sendRow(work, given, leave));
      scheduler.keepTurn(active);
      return { result: 0 };
    });
    // The row waits in the database.
    if (!ended) return 0;
    const { result } = ended;
    if (typeof result !== 'object') return result;
    row = { ...result.again };
    order = result.after === undefined ? 'first' : 'soon';
    await pause(result.after ?? 0, signal);
  }
}

async function lookUp(work: ChunkWork, row: Row, session: Session): Promise<number | undefined> {
  const ended = await work.scheduler.run(work.active, { isSending: false }, () =>
    guard(work, row, () => lookUpRow(work, row, session)),
  );
  return ended ? ended.result : 0;
}

/** Processes a row that has a place. */
async function guard<Result>({ held, signal, stop }: ChunkWork, row: Row, run: () => Promise<Result>) {
  held.add(keyOf(row));
  try {
    return { result: signal.aborted ? undefined : await run() };
  } catch (error) {
    if (error instanceof JobsError || isPassing(error)) throw error;
    // An error of the definition must not end the worker, which has other jobs.
    await stop(`The program failed at line ${row.line}. Correct it, then resume the job. ${stackOf(error)}`);
    return { result: undefined };
  } finally {
    held.delete(keyOf(row));
  }
}

/** Name of the step whose request a row has sent. `undefined` if the definition cannot say it. */
function kindOf({ definition }: KnownJob, { values, results }: Row): string | undefined {
  try {
    return nextStep(definition, values, results ?? {})?.step.name;
  } catch {
    return undefined;
  }
}

function keyOf({ job, number }: Row): string {
  return `${job}.${number}`;
}
