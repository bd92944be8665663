/// <reference types="node" />
import { Buffer } from 'node:buffer';
import type { PoolClient } from 'pg';
import { JobsError } from '../jobs-error.ts';
import { toStorableJsonb, UnstorableError } from '../store/storable.ts';
import type { PlanSummary, SourceRow } from '../types.ts';

/** Maximum rows and characters per statement. A row can be large, such as a part of a campaign with all its phone numbers. */
const limits = { maxRows: 5_000, maxCharacters: 1_000_000 };

/** Maximum bytes of a key: an index refuses longer ones. */
const maxKeyBytes = 2_000;

/** Kinds of problems that a plan counts. */
const causes = {
  isDefault: 'a value that is not valid',
  key: 'the key of an earlier row',
  stored: 'values that cannot be stored',
};

interface Given {
  readonly number: number;
  readonly isRefused: boolean;
  /** Kind of its problem. */
  readonly cause: string;
  readonly rows: number;
  readonly repeated: number;
  /** The row as JSON. */
  readonly json: string;
}

/** Inserts the rows of a job, many per statement. */
export class RowInsert {
  readonly #client: PoolClient;
  readonly #schema: string;
  readonly #job: string;
  readonly #onPlanned: (number: number) => void;
  #batch: Given[] = [];
  #characters = 0;
  #count = 0;
  readonly #summary = { rows: 0, planned: 0, leftOut: new Map<string, number>(), repeated: 0 };

  /** @param onPlanned - called with the number of each planned row, but not of refused ones */
  constructor(client: PoolClient, schema: string, job: string, onPlanned: (number: number) => void) {
    this.#client = client;
    this.#schema = schema;
    this.#job = job;
    this.#onPlanned = onPlanned;
  }

  /** Number of rows added so far. */
  get count(): number {
    return this.#count;
  }

  /** Counts of the inserted rows. */
  get summary(): Omit<PlanSummary, 'sameSource'> {
    return { ...this.#summary, leftOut: Object.fromEntries(this.#summary.leftOut) };
  }

  /** Whether the added rows should be inserted now. */
  get isFull(): boolean {
    return this.#batch.length >= limits.maxRows || this.#characters >= limits.maxCharacters;
  }

  add(row: SourceRow): void {
    const { key, line, rows = 1, repeated = 0 } = row;
    if (key === '' || typeof key !== 'string') throw new JobsError(`Line ${line}: the row has no key.`);
    const number = this.#count;
    const problem = row.problem ?? problemOf(row);
    const { json, isRefused } = write({ number, key, line, values: row.values, problem });
    const cause = problem === undefined ? causes.stored : (row.cause ?? causes.isDefault);
    this.#batch.push({ number, isRefused, cause, rows, repeated, json });
    this.#characters += json.length;
    this.#count += 1;
  }

  /** Takes the added rows. Returns a function that inserts them. Run these functions one after the other. */
  take(): () => Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    return () => this.#insert(batch);
  }

  /** Inserts rows. Refuses a row with the key of an earlier one, because keys identify rows. */
  async #insert(batch: readonly Given[]): Promise<void> {
    if (batch.length === 0) return;
    const { rows } = await this.#client.query<{ number: number }>(
      `INSERT INTO ${this.#schema}.rows (job, number, line, key, state, reason, "values")
      SELECT $1, number, line, key, CASE WHEN problem IS NULL THEN 'planned' ELSE 'refused' END, problem, values
      FROM jsonb_to_recordset($2::jsonb) AS r (number int, line int, key text, problem text, values jsonb)
      ON CONFLICT (job, key) DO NOTHING RETURNING number`,
      [this.#job, asArray(batch)],
    );
    const inserted = new Set(rows.map(({ number }) => number));
    for (const given of batch) this.#add(given, inserted.has(given.number));
    const twice = batch.filter(({ number }) => !inserted.has(number));
    if (twice.length > 0) await this.#refuse(twice);
  }

  /** Counts a row. */
  #add({ number, isRefused, cause, rows, repeated }: Given, isNew: boolean): void {
    const { leftOut } = this.#summary;
    this.#summary.rows += rows;
    if (isNew && !isRefused) {
      this.#summary.planned += rows;
      this.#summary.repeated += repeated;
      this.#onPlanned(number);
      return;
    }
    const why = isRefused ? cause : causes.key;
    leftOut.set(why, (leftOut.get(why) ?? 0) + rows);
  }

  async #refuse(twice: readonly Given[]): Promise<void> {
    await this.#client.query(
      `INSERT INTO ${this.#schema}.rows (job, number, line, key, state, reason, "values")
      SELECT $1, r.number, r.line, r.key || ' (line ' || r.line || ')', 'refused',
        coalesce(r.problem, 'The key ' || r.key || ' is already used in line ' || f.line), r.values
      FROM jsonb_to_recordset($2::jsonb) AS r (number int, line int, key text, problem text, values jsonb)
      JOIN ${this.#schema}.rows f ON f.job = $1 AND f.key = r.key`,
      [this.#job, asArray(twice)],
    );
  }
}

/** Describes why a row cannot be planned as it is. */
function problemOf({ key, line }: SourceRow): string | undefined {
  if (Buffer.byteLength(key) > maxKeyBytes)
    return `its key has ${Buffer.byteLength(key)} bytes, and ${maxKeyBytes} are possible`;
  return isLine(line) ? undefined : `its line must be a whole number, not ${String(line)}`;
}

function isLine(line: number): boolean {
  return Number.isInteger(line) && Math.abs(line) < 2 ** 31;
}

/** Writes a row as JSON. A row with values that cannot be stored is refused, and does not hold up the others. */
function write(row: SourceRow & { number: number; problem: string | undefined }): { json: string; isRefused: boolean } {
  const { number, values, problem } = row;
  const line = isLine(row.line) ? row.line : number + 1;
  const isLong = Buffer.byteLength(row.key) > maxKeyBytes;
  const key = isLong ? `${row.key.slice(0, 100)}… (row ${number + 1})` : row.key;
  const given = { number, line, key, problem };
  try {
    return { json: toStorableJsonb({ ...given, values }), isRefused: problem !== undefined };
  } catch (error) {
    if (!(error instanceof UnstorableError)) throw error;
    const reason = problem ?? `its values cannot be stored: ${error.message}`;
    return { json: toStorableJsonb({ ...given, problem: reason, values: null }), isRefused: true };
  }
}

function asArray(rows: readonly Given[]): string {
  return `[${rows.map(({ json }) => json).join()}]`;
}
