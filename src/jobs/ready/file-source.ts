import { JobsError } from '../jobs-error.ts';
import { checksumOf } from '../sources/checksum.ts';
import { readRows } from '../sources/read-rows.ts';
import type { Source, SourceRow } from '../types.ts';
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
  open(): Promise<(row: Row, line: number) => Values>;
  /** Values of a row that cannot be sent: they contain the row as it was read, so that it can be repaired. */
  unread(row: Row): Values;
}

/** The rows of a file. A row with a problem is refused with its line; a file with a problem is refused as a whole. */
export function fileSource<Values>(format: FileFormat<Values>): Source<Values> {
  return { checksum: () => checksumOf(format.file), rows: () => readFormat(format) };
}

async function* readFormat<Values>(format: FileFormat<Values>): AsyncGenerator<SourceRow<Values>> {
  const { file, columns, aliases } = format;
  const rename = columnReader(file, columns, aliases);
  const read = await format.open();
  for await (const found of readRows(file)) {
    const { row, state, line = found.line } = withoutRepairColumns(rename(found.values));
    // Whether it was sent is not known: only a person's decision may send it again.
    if (state === 'unknown') continue;
    const key = keyOf(row, format, found.line);
    try {
      yield { key, line, values: read(row, line) };
    } catch (error) {
      if (!(error instanceof RowProblem)) throw error;
      yield { key, line, values: format.unread(row), problem: error.message };
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
