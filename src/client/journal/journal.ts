import { isCarillonError } from '../core/errors/is-carillon-error.ts';
import { JournalFile } from './journal-file.ts';
import { isAssumedUndone, OutcomeUnknownError, provesNothingDone } from './outcome.ts';

/** One step for one row, such as the creation of a contact. */
export interface Step<Values, Id extends number | string> {
  /**
   * Identifies the row permanently, such as a customer number: a text of 1 to 1,000 characters. Use a line number only if the file
   * never changes.
   */
  row: string;
  /** Name of the step, a text of 1 to 1,000 characters. */
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
   * @returns its ID, or `undefined` only if nothing was created for certain: `send` is then called again. Anything else, such as
   * `null`, is an error: the step then waits for the next run
   * @throws `LookupUnclearError` if the lookup does not show which
   */
  find(values: Values, marker: string): PromiseLike<Id | undefined>;
}

/** Options of {@link openJournal}. */
export interface JournalOptions {
  /**
   * Path of the file, a SQLite database, which is created if it does not exist. It contains what was sent: protect it like your
   * data. Beside it, SQLite keeps a log with the suffix `-wal` or `-journal`, which belongs to it.
   */
  file: string;
  /**
   * What a step in the journal survives: `disk` the end of the process and a power failure, `process` only the end of the process, even
   * by `kill -9`. `process` does not wait for the disk.
   * @default 'disk'
   */
  durable?: 'disk' | 'process' | undefined;
}

/** A file that records which steps are done. */
export interface Journal {
  /**
   * Does a step only once over all runs. A step that is done is not sent again. A step that was started and has no result is
   * looked up first. Steps of different rows may run at the same time.
   *
   * @param step - the step, with functions that send it and look it up
   * @returns ID of what was created, in this run or an earlier one
   * @throws `TypeError` or `RangeError` if `row` or `step` is not a text of 1 to 1,000 characters, or if `find` returns something else than an ID or `undefined`; `Error` if this step is already under way, or if the journal cannot be written: nothing was sent then; `OutcomeUnknownError` if it may have been done; the error of the client if nothing was done; what `find` throws;
   * the reason of an abort, and the error of a 401 or 429, after which the next run looks the step up
   */
  once<Values, Id extends number | string>(step: Step<Values, Id>): Promise<Id>;
  /** Whether a step is done. */
  isDone(row: string, step: string): boolean;
  /**
   * Records what a person has found out about a step whose outcome is not known.
   *
   * @param row - the row, as it was passed to `once`
   * @param step - name of the step
   * @param id - ID of what was created, or `undefined` if nothing was: the next run then sends the step
   * @throws `RangeError` if the journal has no such step, or if its outcome is known
   */
  decide(row: string, step: string, id: number | string | undefined): Promise<void>;
  /** Closes the file, so that another process can open it. Steps that are under way then fail, and the next run looks them up. */
  close(): Promise<void>;
}

/** Longest `row` and `step`, in characters. */
const longestKey = 1_000;

/**
 * Opens a journal for one process. It writes every step to the disk before the request is sent, so a program that is killed
 * at any time can continue without sending anything twice. Requires Node 22.13 or newer, Bun or Deno. Do not open the file in the same
 * process by other means meanwhile: that would free its lock.
 *
 * @param options - path of the file, and what its entries survive
 * @returns the journal
 * @throws `Error` that says what to do if another process uses the file, if it is damaged or of another kind, if its permissions are
 * missing, or if this version of Node has no SQLite
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
export async function openJournal({ file: path, durable = 'disk' }: JournalOptions): Promise<Journal> {
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
    const entry = { row, step, values, marker };
    if (before?.state === 'started') {
      const found: unknown = await find(before.values as Values, marker);
      if (isId(found)) {
        await file.write({ ...entry, values: before.values, state: 'done', id: found });
        return found as Id;
      }
      if (found !== undefined)
        throw new TypeError(
          `find of ${step} returned ${describe(found)}: it returns an ID, or undefined if nothing was created`,
        );
    }
    await file.write({ ...entry, state: 'started' });
    const id = await send(values, marker).then(undefined, async (cause: unknown) => {
      // The next run looks it up.
      if (isAssumedUndone(cause)) throw cause;
      if (provesNothingDone(cause)) await file.write({ ...entry, state: 'not done' });
      else if (isCarillonError(cause)) throw new OutcomeUnknownError(`${step}: ${cause.message}`, { cause });
      throw cause;
    });
    // The reply does not match the spec.
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

function isId(value: unknown): value is number | string {
  return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}

/** A caller without types may pass a number, which would be another row than its text. */
function checkKey(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} is a text, not ${describe(value)}`);
  if (value === '' || value.length > longestKey)
    throw new RangeError(`${name} has 1 to ${longestKey} characters, not ${value.length}`);
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
