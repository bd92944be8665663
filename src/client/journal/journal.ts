import { BadValue } from '../core/bad-value.ts';
import { checkOptionNames } from '../core/check-options.ts';
import { isCarillonError } from '../core/errors/is-carillon-error.ts';
import { ArgumentError } from '../core/errors/local-errors.ts';
import { JournalFile } from './journal-file.ts';
import { isAssumedUndone, OutcomeUnknownError, provesNothingDone } from './outcome.ts';
import { readValues, writeValues } from './stored-values.ts';

/** One step for one row, such as the creation of a contact. */
export interface Step<Values, Id extends number | string> {
  /**
   * Permanent identifier of the row, such as a customer number: a string of 1 to 1,000 characters. Use a line number only if the
   * file never changes.
   */
  row: string;
  /** Name of the step, a string of 1 to 1,000 characters. */
  step: string;
  /**
   * Values to send: plain data that JSON preserves, and `Date`. They are stored in the journal, and `find` gets them back equal.
   * Fields with `undefined` are omitted, as in a request.
   */
  values: Values;
  /**
   * Sends the request, with the marker if the service has a field for it.
   *
   * @param values - `values` of this step
   * @param marker - a random ID, the same in every run
   * @returns ID of the created record; later runs read it from the journal
   */
  send(values: Values, marker: string): PromiseLike<Id>;
  /**
   * Looks up the record created by an earlier request whose response was lost.
   *
   * @param values - values that were sent
   * @param marker - marker that was sent with them
   * @returns its ID, or `undefined` only if the record was certainly not created, so that `send` is called again. Any other
   * value, such as `null`, is an error, and the step waits for the next run
   * @throws `LookupUnclearError` if the lookup is not conclusive
   */
  find(values: Values, marker: string): PromiseLike<Id | undefined>;
}

/** Options of {@link openJournal}. */
export interface JournalOptions {
  /**
   * Path of the SQLite database, which is created if it does not exist, for its owner only (mode 600). It contains the values
   * sent, so protect copies like your data. SQLite keeps a log next to it, with the suffix `-wal` or `-journal`, which is part of
   * the database. It is folded into the file when that is opened, and every 50 pages.
   */
  file: string;
  /**
   * Durability of the entries. With `disk`, they survive the end of the process and a power failure. With `process`, they survive
   * only the end of the process, even by `kill -9`; writes do not wait for the disk.
   * @default 'disk'
   */
  durable?: 'disk' | 'process' | undefined;
}

/** A file that records which steps are done. */
export interface Journal {
  /**
   * Executes a step only once across all runs. A completed step is not sent again. A step that was started and has no result is
   * looked up first. Steps of different rows may run at the same time.
   *
   * @param step - the step, with functions to send it and look it up
   * @returns ID of the record created in this run or an earlier one
   * @throws `TypeError` or `RangeError` if `row` or `step` is not a string of 1 to 1,000 characters, or if `find` returns
   * anything other than an ID or `undefined`; `ArgumentError`, before sending, if `values` contains a value that would not come
   * back equal, such as a `Map`, `NaN` or a function; `Error`, before sending, if this step is already running or the journal cannot be
   * written; `OutcomeUnknownError` if the step may have been done; the error of the client if it was not done; errors of `find`;
   * the reason of an abort, or the error of a 401 or 429, after which the next run looks the step up
   */
  once<Values, Id extends number | string>(step: Step<Values, Id>): Promise<Id>;
  /** Whether a step is done. */
  isDone(row: string, step: string): boolean;
  /**
   * Records the outcome of a step, determined by a person, if it was unknown.
   *
   * @param row - the row, as passed to `once`
   * @param step - name of the step
   * @param id - ID of the created record, or `undefined` if it was not created, so that the next run sends the step
   * @throws `RangeError` if the journal has no such step, or if its outcome is known
   */
  decide(row: string, step: string, id: number | string | undefined): Promise<void>;
  /** Closes the file, so that another process can open it. Running steps fail, and the next run looks them up. */
  close(): Promise<void>;
}

/** Maximum length of `row` and `step`, in characters. */
const maxKeyLength = 1_000;

/**
 * Opens a journal for one process. Every step is written to disk before the request is sent, so that a program that is killed at
 * any time can continue without sending a request twice. Requires Node 22.13 or newer, Bun or Deno. Do not open the file in the
 * same process by other means meanwhile, which would release its lock.
 *
 * @param options - path of the file, and durability of its entries
 * @returns the journal
 * @throws `ConfigError` if an option is unknown; `Error` that says what to do, if another process uses the file, if it or its log is damaged or it is not a journal, if
 * permissions are missing, or if this version of Node has no SQLite
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { findMarked, openJournal } from 'carillon/journal';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const journal = await openJournal({ file: 'contacts.journal.sqlite' });
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
export async function openJournal(options: JournalOptions): Promise<Journal> {
  checkOptionNames(Object.keys(options), ['file', 'durable']);
  const { file: path, durable = 'disk' } = options;
  if (durable !== 'disk' && durable !== 'process')
    throw new RangeError(`durable is 'disk' or 'process', not '${durable}'`);
  const file = await JournalFile.open(path, { sync: durable === 'disk' });
  const running = new Set<string>();

  async function run<Values, Id extends number | string>(given: Step<Values, Id>): Promise<Id> {
    const { row, step, values, send, find } = given;
    const before = file.get(row, step);
    // The step that wrote the entry had the same types.
    if (before?.state === 'done' && before.id !== undefined) return before.id as Id;
    const marker = before?.marker ?? crypto.randomUUID();
    const entry = { row, step, sent: written(given), marker };
    if (before?.state === 'started') {
      const found: unknown = await find(readValues(before.sent) as Values, marker);
      if (isId(found)) {
        await file.write({ ...before, state: 'done', id: found });
        return found as Id;
      }
      if (found !== undefined)
        throw new TypeError(
          `find of ${step} returned ${describe(found)}: it returns an ID, or undefined if nothing was created`,
        );
    }
    await file.write({ ...entry, state: 'started' });
    const id = await send(values, marker).then(undefined, async (cause: unknown) => {
      // The step stays `started`, so that the next run looks it up.
      if (isAssumedUndone(cause)) throw cause;
      if (provesNothingDone(cause)) await file.write({ ...entry, state: 'not done' });
      else if (isCarillonError(cause)) throw new OutcomeUnknownError(`${step}: ${cause.message}`, { cause });
      throw cause;
    });
    // The response does not match the spec.
    if (!isId(id)) throw new OutcomeUnknownError(`${step}: the reply has no ID`);
    await file.write({ ...entry, state: 'done', id });
    return id;
  }

  return {
    async once(given) {
      const { row, step } = given;
      checkKey('row', row);
      checkKey('step', step);
      const key = JSON.stringify([row, step]);
      if (running.has(key)) throw new Error(`${step} of ${row} is under way already`);
      running.add(key);
      try {
        return await run(given);
      } finally {
        running.delete(key);
      }
    },
    isDone(row, step) {
      checkKey('row', row);
      checkKey('step', step);
      return file.get(row, step)?.state === 'done';
    },
    async decide(row, step, id) {
      checkKey('row', row);
      checkKey('step', step);
      const entry = file.get(row, step);
      if (entry?.state !== 'started' || running.has(JSON.stringify([row, step])))
        throw new RangeError(
          `${step} of ${row} is ${entry?.state ?? 'not in the journal'}: there is nothing to decide`,
        );
      if (id !== undefined && !isId(id)) throw new TypeError(`id is an ID or undefined, not ${describe(id)}`);
      await file.write(id === undefined ? { ...entry, state: 'not done' } : { ...entry, state: 'done', id });
    },
    close: async () => file.close(),
  };
}

/** @throws {@link ArgumentError} for a value that would not come back equal */
function written({ row, step, values }: { row: string; step: string; values: unknown }): string | null {
  try {
    return writeValues(values);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ArgumentError(`${step} of ${row}: ${error.message}; nothing was sent`, {
      parameter: error.place,
      ...(error.cause !== undefined && { cause: error.cause }),
    });
  }
}

function isId(value: unknown): value is number | string {
  return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}

/** Without types, a caller may pass a number, which would be a different row than the same string. */
function checkKey(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} is a text, not ${describe(value)}`);
  if (value === '' || value.length > maxKeyLength)
    throw new RangeError(`${name} has 1 to ${maxKeyLength} characters, not ${value.length}`);
}

function describe(value: unknown): string {
  return value === null
    ? 'null'
    : value === ''
      ? 'an empty text'
      : typeof value === 'object'
        ? 'an object'
        : `${typeof value} ${String(value)}`;
}
