import { createHash } from 'node:crypto';
import { UsageError } from '../../../shared/command-line.ts';
import { isDeeperThan } from '../../../shared/nesting.ts';
import { type RowFormat, readSource } from '../../../shared/rows/read-rows.ts';
import type { TextSource } from '../../../shared/rows/read-text.ts';
import { checkParams, type Params } from '../../catalogue/check-names.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import type { Method } from '../../catalogue/methods.ts';
import { isGuarded } from '../sheet-text.ts';
import { type CellOptions, type Columns, readCells, resolveColumns } from './columns.ts';
import { addedColumns } from './method-columns.ts';

/** Maximum depth of values, which is deeper than any documented parameter. */
const maxLevels = 32;
/** Maximum length of a key in a job, in bytes. */
const maxKeyBytes = 2_000;

/** A row of a file, converted to a call. */
export interface EachRow {
  readonly line: number;
  /** Key that identifies the row across all runs. */
  readonly key: string;
  /** Values of the row, as in the file. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly params: Params;
  /** Why the row cannot be sent. */
  readonly problem?: string;
}

/** Counts keys, and stores the CSV column names. */
interface KeyCount {
  columns: readonly string[];
  /** Counts a key. Returns the number of its occurrences so far. */
  countKey(key: string): number;
}

/** Options for reading a file. */
export interface RowOptions extends CellOptions {
  method: Method;
  source: TextSource;
  format: RowFormat;
  /** Parameters for rows that have no value of their own. */
  fixed: Params;
  /** Name of the column that identifies a row (default: `key`, if the file has such a column). */
  keyColumn: string | undefined;
  skipped: readonly string[];
  /** Finds invalid values. */
  findProblems(params: Params): string[];
}

/**
 * Reads the rows of a file as calls.
 *
 * @param list - counts the keys, and receives the CSV column names
 * @throws `UsageError` if a column is unknown, `FileError` if a line cannot be read
 */
export async function* readEach(options: RowOptions, list: KeyCount): AsyncGenerator<EachRow> {
  const { method, source, format, keyColumn = 'key' } = options;
  const ownKey = fieldsOf(method).some(({ name }) => name === keyColumn);
  const skipped = [...options.skipped, ...addedColumns, ...(ownKey ? [] : [keyColumn])];
  let columns: Columns = new Map();
  const onNames = (names: readonly string[]): void => {
    if (options.keyColumn !== undefined && !names.includes(keyColumn))
      throw new UsageError(
        `--key names the column ${keyColumn}, but ${source.name} has no such column. Nothing was sent.`,
      );
    columns = resolveColumns(method, names, skipped, options.fixed, options);
    list.columns = names;
  };
  const rows = readSource(source, format, onNames, { isExact: true });
  for await (const { line, values, trimmed = values } of rows) {
    if (isDeeperThan(values, maxLevels)) {
      const problem = `the values are nested more than ${maxLevels} levels deep.`;
      yield { line, key: `line ${line}`, values: {}, params: options.fixed, problem };
      continue;
    }
    const key = keyOf(trimmed, keyColumn, options, line, list);
    yield { line, values, ...readRow({ ...options, skipped }, columns, line, values), ...key };
  }
}

/** Counts cells that seem to begin with an apostrophe that `--output csv` added, unless `--exported` was passed. */
export function countGuarded({ values }: EachRow, { format, isExported }: RowOptions): number {
  if (format !== 'csv' || isExported) return 0;
  return Object.values(values).filter((value) => typeof value === 'string' && isGuarded(value)).length;
}

function readRow(
  options: RowOptions,
  columns: Columns,
  line: number,
  values: Readonly<Record<string, unknown>>,
): Pick<EachRow, 'params' | 'problem'> {
  const { method, source, format, fixed, skipped, findProblems } = options;
  try {
    const own =
      format === 'csv'
        ? readCells(method, columns, values, options)
        : Object.fromEntries(
            Object.entries(values).filter(
              ([name]) => !skipped.includes(name) || fieldsOf(method).some((field) => field.name === name),
            ),
          );
    const params = { ...fixed, ...own };
    const problems = checkParams(method, params);
    const unknown = problems.filter((problem) => problem.includes(' has no parameter '));
    if (unknown.length > 0) {
      throw new UnknownNameError(
        `${source.name}, line ${line}: ${unknown.join(' ')} To ignore such a field, add --skip-columns.`,
      );
    }
    const all = problems.length > 0 ? problems : findProblems(params);
    return { params, ...(all.length > 0 && { problem: all.join(' ') }) };
  } catch (error) {
    if (!(error instanceof UsageError) || error instanceof UnknownNameError) throw error;
    return { params: fixed, problem: error.message };
  }
}

/** Thrown if an NDJSON row contains a name that is not a parameter. The mistake concerns the file, not only the row. */
class UnknownNameError extends UsageError {}

/**
 * Returns the key of a row: the value of the key column, or else a hash of the content. If the content repeats, the key also
 * contains a number. The order of rows and columns does not matter.
 */
function keyOf(
  values: Readonly<Record<string, unknown>>,
  column: string,
  { keyColumn, source }: RowOptions,
  line: number,
  list: KeyCount,
): Pick<EachRow, 'key' | 'problem'> {
  const given = values[column];
  if (given === undefined || given === null || given === '') {
    if (keyColumn !== undefined || given === '')
      return { key: `line ${line}`, problem: `The column ${column} identifies the row, but is empty.` };
    const content = Object.entries(values)
      .filter(([name, value]) => value !== '' && !addedColumns.some((added) => added === name))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 24);
    const times = list.countKey(hash);
    return { key: times === 1 ? hash : `${hash}-${times}` };
  }
  // The key in the form in which the job stores it.
  const key = (typeof given === 'object' ? JSON.stringify(given) : String(given)).replaceAll(
    /\0|\p{Surrogate}/gu,
    '\ufffd',
  );
  if (Buffer.byteLength(key) > maxKeyBytes)
    return { key: `line ${line}`, problem: `The key is longer than ${maxKeyBytes} bytes.` };
  if (list.countKey(key) > 1) return { key, problem: `The key ${JSON.stringify(key)} occurs twice in ${source.name}.` };
  return { key };
}
