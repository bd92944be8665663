import { JobsError } from '../jobs-error.ts';
import { checksumOf } from '../sources/checksum.ts';
import { readRows } from '../sources/read-rows.ts';
import type { Source, SourceNotes, SourceRow } from '../types.ts';
import { type Aliases, columnReader } from './columns.ts';
import { idOf, RowProblem } from './values.ts';

/** A row with its values by normalized column name. */
export type Row = Record<string, unknown>;

/** Format of a file, by which its rows become rows of a job. */
export interface FileFormat<Values> {
  /** Path of the file. */
  file: string;
  /** Whether the file was written to repair rows, so that `repairColumns` have their meaning. */
  isRepair?: boolean;
  /** Known columns. */
  columns: readonly string[];
  /** Alternative names of columns. */
  aliases?: Aliases;
  /** Returns the key of a row. A file with a row without a key is refused. */
  keyOf(row: Row): string | undefined;
  /** Columns that can identify a row. Each row needs one of them. */
  keys: readonly string[];
  /** Called once, before the first row. Returns a function that reads a row and may throw a `RowProblem`. */
  open(notes: SourceNotes): Promise<(row: Row, line: number) => Values>;
  /** Finds problems of readable rows, such as duplicates. Called for batches of rows, in order. */
  problemsOf?(rows: readonly SourceRow<Values>[], notes: SourceNotes): Promise<ReadonlyMap<SourceRow<Values>, string>>;
  /** Returns the values of a row that cannot be sent. They contain the original row, so that it can be repaired. */
  unread(row: Row): Values;
}

/** Number of rows per call of `problemsOf`. */
const batchSize = 1_000;

/** A row of the file, and the row of the job. */
interface Entry<Values> {
  readonly given: Row;
  readonly row: SourceRow<Values>;
}

/** Source of the rows in a file. Refuses single rows with a problem, but a file with a problem as a whole. */
export function fileSource<Values>(format: FileFormat<Values>): Source<Values> {
  return { checksum: () => checksumOf(format.file), rows: (notes) => readFormat(format, notes) };
}

async function* readFormat<Values>(format: FileFormat<Values>, notes: SourceNotes): AsyncGenerator<SourceRow<Values>> {
  let batch: Entry<Values>[] = [];
  for await (const entry of readEntries(format, notes)) {
    batch.push(entry);
    if (batch.length < batchSize) continue;
    yield* await judge(format, batch, notes);
    batch = [];
  }
  yield* await judge(format, batch, notes);
}

async function judge<Values>(
  { problemsOf, unread }: FileFormat<Values>,
  batch: readonly Entry<Values>[],
  notes: SourceNotes,
): Promise<SourceRow<Values>[]> {
  const readable = batch.map(({ row }) => row).filter(({ problem }) => problem === undefined);
  const problems = await problemsOf?.(readable, notes);
  return batch.map(({ given, row }) => {
    const problem = problems?.get(row);
    return problem === undefined ? row : { ...row, values: unread(given), problem };
  });
}

async function* readEntries<Values>(format: FileFormat<Values>, notes: SourceNotes): AsyncGenerator<Entry<Values>> {
  const { file, columns, aliases, isRepair } = format;
  const rename = columnReader(file, columns, { aliases, isRepair });
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
      yield { given, row: { key, line, values: format.unread(given), problem: error.message } };
    }
  }
}

/** States in a file of rows to repair. A person may have removed the column. */
const states: readonly unknown[] = ['refused', 'unknown', 'begun', '', undefined, null];

/**
 * Removes the `repairColumns`.
 *
 * @throws `JobsError` if they cannot be read, because they decide which rows are sent
 */
function withoutRepairColumns(row: Row, place: string): { row: Row; state: unknown; line: number | undefined } {
  const { state, line, step: _, problem: _problem, outcome: _outcome, result: _result, ...rest } = row;
  if (!states.includes(state))
    throw new JobsError(`${place}: state must be refused or unknown, as the file was written, not "${String(state)}".`);
  try {
    return { row: rest, state, line: idOf(line, 'line') };
  } catch (error) {
    if (error instanceof RowProblem) throw new JobsError(`${place}: ${error.message}.`);
    throw error;
  }
}

function keyOf(row: Row, { file, keys, keyOf: find }: FileFormat<unknown>, line: number): string {
  const place = `${file}, line ${line}`;
  try {
    const key = find(row);
    if (key !== undefined) return key;
  } catch (error) {
    if (error instanceof RowProblem) throw new JobsError(`${place}: ${error.message}.`);
    throw error;
  }
  throw new JobsError(`${place}: the row needs a ${keys.join(' or ')}, which identifies it.`);
}
