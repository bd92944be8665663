import { JobsError } from '../jobs-error.ts';
import { checksumOf, readRows } from '../sources/read-rows.ts';
import type { Source, SourceNotes, SourceRow } from '../types.ts';
import { columnReader } from './columns.ts';
import { idOf, RowProblem } from './values.ts';

/** Values of a row by normalized column name. */
export type FileValues = Record<string, unknown>;

/** Options of a job that reads a file. */
export interface FileOptions {
  /** Path of a CSV or NDJSON file. */
  file: string;
  /**
   * Whether a row is invalid if an earlier row has the same address or phone number, even if the other values differ.
   * @default false
   */
  onePerRecipient?: boolean;
  /**
   * Columns of the file to skip.
   * @default no columns: a file with an unknown column is invalid
   */
  skipColumns?: readonly string[];
}

/** Describes how the rows of a file become rows of a job. */
export interface FileFormat<Values> extends FileOptions {
  /** Whether the file is a repair file, which may have the `repairColumns`. */
  isRepair?: boolean;
  columns: readonly string[];
  /** Returns the key of a row. If a row has no key, the file is invalid. */
  keyOf(row: FileValues): string | undefined;
  /** Columns that can identify a row. Each row needs a value in one of these columns. */
  keys: readonly string[];
  /** Called once, before the first row. Returns a function that reads a row and may throw a `RowProblem`. */
  open(notes: SourceNotes): Promise<(row: FileValues, line: number) => Values>;
  /** Finds problems in readable rows. Called for batches of rows, in order. */
  problemsOf?(
    rows: readonly SourceRow<Values>[],
    notes: SourceNotes,
  ): Promise<ReadonlyMap<SourceRow<Values>, RowProblem>>;
  /** Returns identities of the people whom a row concerns. The plan counts rows that share an identity with an earlier row. */
  peopleOf?(values: Values): readonly string[];
  /** Returns new keys and values for rows whose key or values depend on the rest of the file. */
  finish?(
    rows: readonly SourceRow<Values>[],
    notes: SourceNotes,
  ): Promise<ReadonlyMap<SourceRow<Values>, Partial<Pick<SourceRow<Values>, 'key' | 'values'>>>>;
  /** Returns the values of a row that cannot be sent. These values contain the original row, so that the row can be repaired. */
  unread(row: FileValues): Values;
}

const batchSize = 1_000;

/** A row in the file with the corresponding row in the job. */
interface Entry<Values> {
  readonly given: FileValues;
  readonly row: SourceRow<Values>;
}

/**
 * Creates a source that reads the rows of a file. A row with a problem is invalid. If the file itself has a problem, planning fails.
 */
export function fileSource<Values>(format: FileFormat<Values>): Source<Values> {
  return { checksum: () => checksumOf(format.file), rows: (notes) => readFormat(format, notes) };
}

/** Collects items in batches. The last batch may be empty. */
export async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function* readFormat<Values>(format: FileFormat<Values>, notes: SourceNotes): AsyncGenerator<SourceRow<Values>> {
  for await (const batch of inBatches(readEntries(format, notes))) yield* await checkBatch(format, batch, notes);
}

async function checkBatch<Values>(
  format: FileFormat<Values>,
  batch: readonly Entry<Values>[],
  notes: SourceNotes,
): Promise<SourceRow<Values>[]> {
  const { problemsOf, peopleOf, finish, onePerRecipient, unread, isRepair } = format;
  const givenOf = new Map(batch.map(({ given, row }) => [row, given]));
  const problems = new Map<SourceRow<Values>, RowProblem>();
  const readable = (): SourceRow<Values>[] =>
    batch.flatMap(({ row }) => (row.problem === undefined && !problems.has(row) ? [row] : []));
  const add = (found: ReadonlyMap<SourceRow<Values>, RowProblem>): void => {
    for (const [row, problem] of found) problems.set(row, problem);
  };
  if (problemsOf) add(await problemsOf(readable(), notes));
  // A person chose the rows of a repair file, so equal rows are intended.
  if (!isRepair) {
    const equal = await findEarlier(readable(), (row) => [cellsOf(givenOf.get(row) ?? {})], notes);
    const kind = 'equal to an earlier row in every column';
    add(problemsOfEarlier(equal, ({ line }) => `the row equals line ${line} in every column`, kind));
  }
  const people = (row: SourceRow<Values>): string[] => peopleOf?.(row.values).map((one) => `person ${one}`) ?? [];
  const repeated = isRepair || !peopleOf ? new Map() : await findEarlier(readable(), people, notes);
  if (onePerRecipient)
    add(
      problemsOfEarlier(
        repeated,
        ({ line }) => `the recipient of the row is also on line ${line}`,
        'the recipient of an earlier row',
      ),
    );
  const finished = await finish?.(readable(), notes);
  return batch.map(({ given, row }) => {
    const problem = problems.get(row);
    if (problem) return { ...row, values: unread(given), problem: problem.message, cause: problem.kind };
    return { ...row, ...finished?.get(row), ...(repeated.has(row) && { repeated: 1 }) };
  });
}

/** A note name that also belongs to an earlier row, and the line of that row. */
interface Earlier {
  readonly name: string;
  readonly line: number;
}

/**
 * Finds rows that share an identity with an earlier row of their file, and records the identities of all other rows. The identities
 * of a duplicate row are not recorded, so later rows may use those that only the duplicate row has.
 *
 * @param rows - consecutive rows of the file
 * @param namesOf - returns the identities of a row, with a prefix for their kind
 */
export async function findEarlier<Row extends { readonly line: number }>(
  rows: readonly Row[],
  namesOf: (row: Row) => readonly string[],
  notes: SourceNotes,
): Promise<Map<Row, Earlier>> {
  const noted = await notes.find(rows.flatMap(namesOf));
  const added = new Map<string, number>();
  const earlier = new Map<Row, Earlier>();
  for (const row of rows) {
    const names = namesOf(row);
    const lineOf = (name: string): number => noted.get(name) ?? added.get(name) ?? row.line;
    const name = names.find((each) => lineOf(each) < row.line);
    if (name !== undefined) earlier.set(row, { name, line: lineOf(name) });
    else for (const each of names) if (!noted.has(each)) added.set(each, row.line);
  }
  await notes.add(added);
  return earlier;
}

/**
 * Returns the problems of rows that share an identity with an earlier row.
 *
 * @param kind - kind of the problem; a plan counts rows by kind
 */
export function problemsOfEarlier<Row>(
  earlier: ReadonlyMap<Row, Earlier>,
  reason: (found: Earlier) => string,
  kind: string,
): Map<Row, RowProblem> {
  return new Map([...earlier].map(([row, found]) => [row, new RowProblem(reason(found), kind)]));
}

/**
 * Returns the cells of a row as one string. The string is the same for rows that are equal in every column, even if the Unicode
 * spelling of a letter differs.
 */
export function cellsOf(row: FileValues): string {
  const cells = Object.entries(row).flatMap(([column, cell]) => {
    const value = typeof cell === 'string' ? cell.trim() : cell;
    return value === '' || value === null || value === undefined ? [] : [[column, value]];
  });
  return `row ${JSON.stringify(cells.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)))}`.normalize(
    'NFC',
  );
}

async function* readEntries<Values>(format: FileFormat<Values>, notes: SourceNotes): AsyncGenerator<Entry<Values>> {
  const { file, columns, isRepair, skipColumns } = format;
  const rename = columnReader(file, columns, { isRepair, skipped: skipColumns });
  const read = await format.open(notes);
  for await (const found of readRows(file)) {
    const renamed = rename(found.values);
    const {
      row: given,
      state,
      line = found.line,
    } = isRepair ? withoutRepairColumns(renamed, `${file}, line ${found.line}`) : { row: renamed, state: undefined };
    // Skip unknown rows, which may have been sent. Only a person may decide to send them again.
    if (state === 'unknown') continue;
    const key = keyOf(given, format, found.line);
    try {
      yield { given, row: { key, line, values: read(given, line) } };
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error;
      yield { given, row: { key, line, values: format.unread(given), problem: error.message, cause: error.kind } };
    }
  }
}

/** States in a repair file. A person may have removed the column. */
const states: readonly unknown[] = ['rejected', 'invalid', 'unknown', 'begun', '', undefined, null];

/**
 * Removes the `repairColumns`.
 *
 * @throws `JobsError` if these columns cannot be read, because they decide which rows are sent
 */
function withoutRepairColumns(
  row: FileValues,
  place: string,
): { row: FileValues; state: unknown; line: number | undefined } {
  const { state, line, step: _, problem: _problem, outcome: _outcome, result: _result, ...rest } = row;
  if (!states.includes(state))
    throw new JobsError(
      `${place}: state must be 'rejected', 'invalid' or 'unknown', as in the file that carillon-jobs wrote, not '${String(state)}'.`,
    );
  return { row: rest, state, line: readAt(place, () => idOf(line, 'line')) };
}

function keyOf(row: FileValues, { file, keys, keyOf: find }: FileFormat<unknown>, line: number): string {
  const place = `${file}, line ${line}`;
  const key = readAt(place, () => find(row));
  if (key === undefined) throw new JobsError(`${place}: the row needs a ${keys.join(' or ')} that identifies it.`);
  return key;
}

/** @throws `JobsError` instead of a `RowProblem`, for a value without which the file cannot be used */
function readAt<Value>(place: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof RowProblem) throw new JobsError(`${place}: ${error.message}.`);
    throw error;
  }
}
