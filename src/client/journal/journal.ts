import { isCarillonError } from '../core/errors/is-carillon-error.ts';
import { JournalFile } from './journal-file.ts';
import { isAssumedUndone, OutcomeUnknownError, provesNothingDone } from './outcome.ts';

/** One step for one row, such as the creation of a contact. */
export interface Step<Values, Id extends number | string> {
  /** Identifies the row permanently, such as a customer number. Use a line number only if the file never changes. */
  row: string;
  /** Name of the step. */
  step: string;
  /** What is sent, as plain data that JSON preserves. The journal contains it. */
  values: Values;
  /**
   * Sends the request, with the journal's marker if the service has a field for it.
   *
   * @param values - `values` of this step
   * @param marker - a random ID, the same in every run
   * @returns ID of what was created; later runs read it from the journal
   */
  send(values: Values, marker: string): PromiseLike<Id>;
  /**
   * Looks for what an earlier request created whose reply was lost.
   *
   * @param values - values that were sent then
   * @param marker - marker that was sent with them
   * @returns its ID, or `undefined` only if nothing was created for certain: `send` is then called again
   * @throws `LookupUnclearError` if the lookup does not show which
   */
  find(values: Values, marker: string): PromiseLike<Id | undefined>;
}

/** Options of {@link openJournal}. */
export interface JournalOptions {
  /** Path of the file, which is created if it does not exist. It contains what was sent: protect it like your data. */
  file: string;
}

/** A file that records which steps are done. */
export interface Journal {
  /**
   * Does a step only once over all runs. A step that is done is not sent again. A step that was started and has no result is
   * looked up first. Steps of different rows may run at the same time.
   *
   * @param step - the step, with functions that send it and look it up
   * @returns ID of what was created, in this run or an earlier one
   * @throws `Error` if this step is already under way; `OutcomeUnknownError` if it may have been done; the error of the client if nothing was done; what `find` throws;
   * the reason of an abort, and the error of a 401 or 429, after which the next run looks the step up
   */
  once<Values, Id extends number | string>(step: Step<Values, Id>): Promise<Id>;
  /** Whether a step is done. */
  isDone(row: string, step: string): boolean;
  /** Closes the file, so that another process can open it. */
  close(): Promise<void>;
}

/**
 * Opens a journal for one process. It writes every step to the disk before the request is sent, so a program that is killed
 * at any time can continue without sending anything twice.
 *
 * @param options - path of the file
 * @returns the journal
 * @throws `Error` if another process uses the file, or if it cannot be read or written
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { findMarked, openJournal } from 'carillon/journal';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const journal = await openJournal({ file: 'contacts.journal.ndjson' });
 * const id = await journal.once({
 *   row: 'c-1',
 *   step: 'contact',
 *   values: { firstName: 'Ada', lastName: 'Adler' },
 *   send: async (name, marker) =>
 *     (await api.crm.contacts.create({ ...name, responsibleId: 77, externalContactId: marker })).id,
 *   find: (name, marker) => findMarked(api.crm.contacts.list(name), marker, (contact) => contact.externalContactId),
 * });
 * console.log(id);
 * await journal.close();
 * ```
 */
export async function openJournal({ file: path }: JournalOptions): Promise<Journal> {
  const file = await JournalFile.open(path);
  const running = new Set<string>();

  async function run<Values, Id extends number | string>(given: Step<Values, Id>): Promise<Id> {
    const { row, step, values, send, find } = given;
    const before = file.get(row, step);
    // The step that wrote the line had the same types.
    if (before?.state === 'done' && before.id !== undefined) return before.id as Id;
    const marker = before?.marker ?? crypto.randomUUID();
    const line = { row, step, values, marker };
    if (before?.state === 'started') {
      const found = await find(before.values as Values, marker);
      if (found !== undefined) {
        await file.write({ ...line, values: before.values, state: 'done', id: found });
        return found;
      }
    }
    await file.write({ ...line, state: 'started' });
    const id = await send(values, marker).then(undefined, async (cause: unknown) => {
      // The next run looks it up.
      if (isAssumedUndone(cause)) throw cause;
      if (provesNothingDone(cause)) await file.write({ ...line, state: 'not done' });
      else if (isCarillonError(cause)) throw new OutcomeUnknownError(`${step}: ${cause.message}`, { cause });
      throw cause;
    });
    // The reply does not match the spec.
    if (typeof id !== 'string' && !Number.isInteger(id)) throw new OutcomeUnknownError(`${step}: the reply has no ID`);
    await file.write({ ...line, state: 'done', id });
    return id;
  }

  return {
    async once(given) {
      const { row, step } = given;
      const key = JSON.stringify([row, step]);
      if (running.has(key)) throw new Error(`${step} of ${row} is under way already`);
      running.add(key);
      try {
        return await run(given);
      } finally {
        running.delete(key);
      }
    },
    isDone: (row, step) => file.get(row, step)?.state === 'done',
    close: () => file.close(),
  };
}
