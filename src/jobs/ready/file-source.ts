import { JobsError } from '../jobs-error.ts';
import { checksumOf } from '../sources/checksum.ts';
import { readRows } from '../sources/read-rows.ts';
import type { Source, SourceNotes, SourceRow } from '../types.ts';
import { type Aliases, columnReader } from './columns.ts';
import { idOf, RowProblem } from './values.ts';

/** A row by the known names of its columns. */
export type Row = Record<string, unknown>;

/** How the rows of a file become rows of a job. */
export interface FileFormat<Values> {
  /** Path of the file. */
  file: string;
  /** Known columns. */
  columns: readonly string[];
  /** Other names of columns. */
  aliases?: Aliases;
  /** What identifies a row: a file in which a row has none is refused. */
  keyOf(row: Row): string | undefined;
  /** Columns of which a row needs one, to identify it. */
  keys: readonly string[];
  /** Called once, before the first row. Returns the function that reads a row, which may throw a `RowProblem`. */
  open(notes: SourceNotes): Promise<(row: Row, line: number) => Values>;
  /** Why rows cannot be sent although each can be read, such as those that repeat another one. Called for many at once, in order. */
  problemsOf?(rows: readonly SourceRow<Values>[], notes: SourceNotes): Promise<ReadonlyMap<SourceRow<Values>, string>>;
  /** Values of a row that cannot be sent: they contain the row as it was read, so that it can be repaired. */
  unread(row: Row): Values;
}

/** Rows for which `problemsOf` is asked at once. */
const batchSize = 1_000;

/** A row of the file, and what it becomes. */
interface Entry<Values> {
  readonly given: Row;
  readonly row: SourceRow<Values>;
}

/** The rows of a file. A row with a problem is refused with its line; a file with a problem is refused as a whole. */
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
  const { file, columns, aliases } = format;
  const rename = columnReader(file, columns, aliases);
  const read = await format.open(notes);
  for await (const found of readRows(file)) {
    const { row: given, state, line = found.line } = withoutRepairColumns(rename(found.values));
    // Whether it was sent is not known: only a person's decision may send it again.
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

/** Takes off the `repairColumns`. */
function withoutRepairColumns(row: Row): { row: Row; state: unknown; line: number | undefined } {
  const { state, line, step: _, problem: _problem, outcome: _outcome, result: _result, ...rest } = row;
  return { row: rest, state, line: idOf(line, 'line') };
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
