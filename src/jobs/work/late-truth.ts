import type { Client } from 'carillon';
import type { Database } from '../journal/database.ts';
import { addPeople, beginPass, endPass, findOptOuts, leaveOut, type Pass, readCurrency } from '../journal/opt-outs.ts';
import type { AgedRow } from '../journal/rows.ts';
import type { Json, Recipients } from '../types.ts';
import { stopReason } from './judge.ts';
import type { KnownJob } from './known-job.ts';
import { optOutsOf, readOptOuts } from './read-opt-outs.ts';

/** Milliseconds between two looks at a pass that is under way. */
const lookInterval = 2_000;

/** Rows that may be sent. */
export interface CheckedRows {
  readonly rows: readonly AgedRow[];
  /** Milliseconds until the lists have to be read again. */
  readonly validFor: number;
  /** When the other rows should be looked at again, in milliseconds. */
  readonly wait?: number;
}

/**
 * Leaves out people who do not want what a job sends, if its rows have waited for long since the lists were read. One worker reads
 * them in the background for all rows of the job, which wait meanwhile. If that fails, the job pauses.
 */
export class LateTruth {
  readonly #db: Database;
  readonly #api: Client;
  readonly #signal: AbortSignal;
  readonly #stop: (job: string, reason: string) => Promise<void>;
  readonly #passes = new Set<Promise<void>>();

  constructor(
    db: Database,
    api: Client,
    { signal, stop }: { signal: AbortSignal; stop(job: string, reason: string): Promise<void> },
  ) {
    this.#db = db;
    this.#api = api;
    this.#signal = signal;
    this.#stop = stop;
  }

  /** Checks planned rows of a job. Changes those that concern people who are to be left out. */
  async check(job: KnownJob, rows: readonly AgedRow[]): Promise<CheckedRows> {
    const { recipients } = job.definition;
    const isChecked = recipients && rows.length > 0 && recipients.isChecked?.(job.options) !== false;
    const list = isChecked && optOutsOf(recipients.operation);
    if (!list) return { rows, validFor: Number.POSITIVE_INFINITY };
    const { validFor, hasList } = await readCurrency(this.#db, job.id);
    if (validFor <= 0) {
      const pass = await beginPass(this.#db, job.id);
      if (pass) this.#begin(pass, job, recipients.operation, list.operation);
      return { rows: [], validFor, wait: lookInterval };
    }
    if (!hasList) return { rows, validFor };
    const people = new Map(rows.map((row) => [row, recipients.of(row.values)]));
    const out = await findOptOuts(this.#db, job.id, [...people.values()].flat());
    if (out.size === 0) return { rows, validFor };
    const concerned = rows.filter((row) => people.get(row)?.some((person) => out.has(person)));
    await leaveOut(
      this.#db,
      concerned.map((row) => reduce(row, recipients, out, list.operation)),
    );
    return { rows: rows.filter((row) => !concerned.includes(row)), validFor, wait: 0 };
  }

  /** Resolves when no pass is under way. */
  async end(): Promise<void> {
    await Promise.all(this.#passes);
  }

  #begin(pass: Pass, { id }: KnownJob, operation: string, list: string): void {
    const running = this.#read(pass, operation)
      .catch((error: unknown) =>
        this.#stop(
          id,
          `The rows have waited for long, and the list of those who do not want them (${list}) could not be read: ${stopReason(error, 'Resume the job to try again.')}`,
        ),
      )
      // The database is away: another worker reads the lists later.
      .catch(() => undefined);
    this.#passes.add(running);
    void running.then(() => this.#passes.delete(running));
  }

  async #read(pass: Pass, operation: string): Promise<void> {
    let isComplete = false;
    try {
      for await (const people of readOptOuts(this.#api, operation)) {
        if (this.#signal.aborted) return;
        await addPeople(this.#db, pass, people);
      }
      isComplete = true;
    } finally {
      await endPass(this.#db, pass, isComplete);
    }
  }
}

function reduce(
  { job, number, attempt, key, values }: AgedRow,
  { of, split }: Recipients,
  out: ReadonlySet<string>,
  list: string,
): Parameters<typeof leaveOut>[1][number] {
  const reasonOfPeople = (people: readonly string[]): string =>
    `${people.join(', ')} ${people.length === 1 ? 'is' : 'are'} on the list of those who do not want it (${list}), read while the row waited`;
  const parts = split?.(values, (person) => out.has(person));
  if (!parts || parts.kept === null) {
    const reason = reasonOfPeople(of(values).filter((person) => out.has(person)));
    return { job, number, attempt, kept: null, leftOut: [{ key, reason, values }] };
  }
  const leftOut = parts.leftOut.map((left, index) => ({
    key: `${key}, left out ${index + 1} (attempt ${attempt})`,
    reason: reasonOfPeople(of(left)),
    values: left as Json,
  }));
  return { job, number, attempt, kept: parts.kept as Json, leftOut };
}
