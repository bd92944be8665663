/// <reference types="node" />
import { Buffer } from 'node:buffer';
import { JobsError } from '../jobs-error.ts';
import { toStorable, toStorableString, UnstorableError } from '../store/storable.ts';
import type { Insert, NewRow } from '../store/store.ts';
import type { Json, PlanSummary, SourceRow } from '../types.ts';

/** Maximum rows and characters of a statement. A row can be large, for example a campaign part with all its phone numbers. */
const limits = { maxRows: 2_000, maxCharacters: 1_000_000 };

/** Maximum bytes of a key, because a Postgres index cannot hold longer keys. */
const maxKeyBytes = 2_000;

/** Line numbers are below this limit, because they are stored as 32-bit integers. */
const lineLimit = 2 ** 31;

/** Kinds of problems that a plan counts. */
const causes = {
  isDefault: 'an invalid value',
  key: 'the key of an earlier row',
  stored: 'values that cannot be stored',
};

interface Given {
  readonly row: NewRow;
  /** Kind of the row's problem. */
  readonly cause: string;
  readonly rows: number;
  readonly repeated: number;
}

/** Inserts the rows of a job, many per statement, and counts them. */
export class RowInsert {
  readonly #insert: Insert;
  #batch: Given[] = [];
  #characters = 0;
  #count = 0;
  readonly #summary = { rows: 0, planned: 0, leftOut: new Map<string, number>(), repeated: 0 };

  constructor(insert: Insert) {
    this.#insert = insert;
  }

  get total(): number {
    return this.#count;
  }

  get summary(): Omit<PlanSummary, 'sameSource'> {
    return { ...this.#summary, leftOut: Object.fromEntries(this.#summary.leftOut) };
  }

  async add(source: SourceRow): Promise<void> {
    const { rows = 1, repeated = 0 } = source;
    const { row, size } = toNewRow(source, this.#count);
    const cause = source.problem === undefined ? causes.stored : (source.cause ?? causes.isDefault);
    this.#batch.push({ row, cause, rows, repeated });
    this.#characters += size;
    this.#count += 1;
    if (this.#batch.length >= limits.maxRows || this.#characters >= limits.maxCharacters) await this.flush();
  }

  /** Inserts the added rows. A row with the key of an earlier row is invalid, because keys identify rows. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    if (batch.length === 0) return;
    const lines = await this.#insert(batch.map(({ row }) => row));
    const twice: NewRow[] = [];
    for (const given of batch) {
      const earlier = lines.get(given.row.number);
      this.#add(given, earlier === undefined);
      if (earlier === undefined) continue;
      const { key, line, reason } = given.row;
      const why = reason ?? `The key ${key} is already used on line ${earlier}`;
      twice.push({ ...given.row, key: `${key} (line ${line})`, state: 'invalid', reason: why });
    }
    if (twice.length > 0) await this.#insert(twice);
  }

  #add({ row, cause, rows, repeated }: Given, isNew: boolean): void {
    const { leftOut } = this.#summary;
    this.#summary.rows += rows;
    if (isNew && row.state === 'planned') {
      this.#summary.planned += rows;
      this.#summary.repeated += repeated;
      return;
    }
    const why = row.state === 'invalid' ? cause : causes.key;
    leftOut.set(why, (leftOut.get(why) ?? 0) + rows);
  }
}

/**
 * Converts a row of a source to a row of a job. A row with values that cannot be stored becomes invalid, and does not stop the other rows.
 *
 * @throws `JobsError` if the row has no key, or a key or line that cannot be stored
 */
export function toNewRow(source: SourceRow, number = 0): { row: NewRow; size: number } {
  const { line } = source;
  if (source.key === '' || typeof source.key !== 'string') throw new JobsError(`Line ${line}: the row has no key.`);
  const key = toStorableString(source.key);
  const bytes = Buffer.byteLength(key);
  if (bytes > maxKeyBytes)
    throw new JobsError(`Line ${line}: the key has ${bytes} bytes. Shorten it to at most ${maxKeyBytes} bytes.`);
  if (!(Number.isInteger(line) && Math.abs(line) < lineLimit))
    throw new JobsError(
      `Line ${line}: the line must be a whole number below ${lineLimit}, such as the position of the row.`,
    );
  let values: Json = null;
  let reason = source.problem;
  let size = key.length;
  try {
    values = toStorable(source.values);
    size += JSON.stringify(values).length;
  } catch (error) {
    if (!(error instanceof UnstorableError)) throw error;
    reason ??= `the values cannot be stored: ${error.message}`;
  }
  const row = { number, line, key, values };
  if (reason === undefined) return { row: { ...row, state: 'planned', reason: null }, size };
  return { row: { ...row, state: 'invalid', reason: toStorableString(reason) }, size };
}
