import { closeChunk } from './close-chunk.ts';
import { type Row, rowColumns, takeOver } from './journal.ts';
import { lookUpRow } from './look-up-row.ts';
import { sendRow } from './process-row.ts';
import { deadlineOf, type RowWork } from './row-work.ts';
import { chunkSize } from './schema.ts';
import type { Semaphore } from './semaphore.ts';

/** What a worker shares over its chunks. */
export interface ChunkWork extends RowWork {
  /** Limits the rows in flight in this process. */
  readonly semaphore: Semaphore;
  /** Rows that this process holds, as `job.number`: a chunk can arrive twice. */
  readonly held: Set<string>;
  /** Called when the rows of the chunk wait for their turn. */
  onLoaded(): void;
  /** Called after each row. */
  onProgress(): void;
}

/**
 * Processes the open rows of a chunk. The chunk is closed if none is left.
 *
 * @returns when the chunk should come again; `undefined` if it is closed, or waits for a job to be resumed
 */
export async function processChunk(work: ChunkWork, chunk: number): Promise<Date | undefined> {
  const { station, job, held } = work;
  const { pool, schema } = station.db;
  if (job.state === 'paused') return undefined;
  const states = job.state === 'running' ? ['planned', 'sent'] : ['sent'];
  const { rows: open } = await pool.query<Row & { age: number | null }>(
    `SELECT ${rowColumns}, extract(epoch FROM clock_timestamp() - sent_at)::float8 * 1000 AS age FROM ${schema}.rows
    WHERE job = $1 AND number >= $2 AND number < $3 AND state = ANY ($4) ORDER BY number`,
    [job.id, chunk * chunkSize, (chunk + 1) * chunkSize, states],
  );
  const rows = open.filter((row) => !held.has(keyOf(row)));
  let wake = rows.length < open.length ? Date.now() + 1_000 : Number.POSITIVE_INFINITY;
  const later = (time: number | undefined): void => {
    if (time !== undefined) wake = Math.min(wake, time);
  };
  const deadline = deadlineOf(work);
  const sent = rows.filter(({ state }) => state === 'sent');
  const due = sent.filter(({ age }) => age !== null && age > deadline);
  for (const { age } of sent) if (age === null || age <= deadline) later(Date.now() + deadline - (age ?? 0) + 50);

  const tasks = rows
    .filter(({ state }) => state === 'planned')
    .map((row) => guard(work, row, () => sendRow(work, row)));
  if (due.length > 0) {
    const { session } = station;
    const numbers = due.map(({ number }) => number);
    const given = { job: job.id, numbers, worker: session.worker, deadline };
    const taken = await session.run((client) => takeOver(client, schema, given));
    // The others are held by workers whose sessions live.
    if (taken.length < due.length) later(Date.now() + Math.min(2_000, deadline));
    tasks.push(...taken.map((row) => guard(work, row, () => lookUpRow(work, row, session))));
  }
  work.onLoaded();
  for (const result of await Promise.allSettled(tasks)) {
    if (result.status === 'rejected') throw result.reason;
    later(result.value);
  }
  return (await closeChunk(station.db, job.id, chunk))
    ? undefined
    : new Date(wake === Number.POSITIVE_INFINITY ? Date.now() + 2_000 : wake);
}

/** Runs a row when the process has room for it. */
async function guard<Result>({ semaphore, held, signal, onProgress }: ChunkWork, row: Row, run: () => Promise<Result>) {
  const release = await semaphore.enter();
  held.add(keyOf(row));
  try {
    return signal.aborted ? undefined : await run();
  } finally {
    held.delete(keyOf(row));
    release();
    onProgress();
  }
}

function keyOf({ job, number }: Row): string {
  return `${job}.${number}`;
}
