/// <reference types="node" />
import { pipeline } from 'node:stream/promises';
import type { Info } from 'csv-parse';
import { FileError } from './file-error.ts';
import type { FileRow } from './file-row.ts';
import { readText, type TextSource } from './read-text.ts';

interface Parsed {
  info: Info;
  record: Record<string, string | Trimmed>;
}

/** A cell with surrounding spaces, or with line breaks other than `\n`. */
class Trimmed {
  readonly exact: string;
  readonly trimmed: string;

  constructor(exact: string, trimmed: string) {
    this.exact = exact;
    this.trimmed = trimmed;
  }
}

/** Options for reading CSV. */
export interface CsvOptions {
  /**
   * Whether values keep surrounding spaces and line breaks exactly as written. If so, trailing columns with neither a name nor
   * values are ignored.
   */
  isExact?: boolean;
}

const delimiters = [',', ';', '\t'] as const;
const maxRecordSize = 16 * 1024 * 1024;
const options = { skip_empty_lines: true, info: true, max_record_size: maxRecordSize } as const;

/**
 * Reads CSV whose first line names the columns. The delimiter is a comma, semicolon or tab, whichever is most frequent in the
 * first line. Empty lines are skipped. Requires the package `csv-parse`.
 *
 * @param onColumns - receives the names of the columns before the first row
 * @throws `FileError` if a line cannot be read, or has more or fewer values than the first line
 */
export async function* readCsv(
  source: TextSource,
  onColumns?: (names: readonly string[]) => void,
  { isExact = false }: CsvOptions = {},
): AsyncGenerator<FileRow> {
  const { CsvError, parse } = await import('csv-parse');
  const file = source.name;
  let width = 0;
  let unnamed: number[] = [];
  const columns = (names: (string | Trimmed)[]): string[] => {
    width = names.length;
    const trimmed = names.map((name) => (name instanceof Trimmed ? name.trimmed : name));
    const kept = isExact ? withoutEmptyEnd(trimmed) : trimmed;
    unnamed = trimmed.flatMap((_, at) => (at >= kept.length ? [at] : []));
    checkColumns(file, kept);
    onColumns?.(kept);
    return trimmed.map((name, at) => (at < kept.length ? name : unnamedColumn(at)));
  };
  const chunks = readChunks(source, isExact);
  const beginning = await readBeginning(file, chunks);
  const cast = (text: string, { quoting }: { quoting: boolean }): string | Trimmed => {
    const trimmed = (quoting ? text : text.trim()).replace(/\r\n?/g, '\n');
    return trimmed === text ? text : new Trimmed(text, trimmed);
  };
  const exactly = { cast, record_delimiter: ['\r\n', '\n', '\r'] };
  const parser = parse({
    ...options,
    ...(isExact ? exactly : { trim: true }),
    columns,
    delimiter: delimiterOf(beginning, isExact),
  });
  // On error, the pipeline destroys the parser, so that the loop below rejects with the error.
  const feeding = pipeline(followedBy(beginning, chunks), parser).catch(() => undefined);
  // The parser counts `\r\n` in a value as two lines.
  let extra = 0;
  try {
    for await (const { info, record } of parser as AsyncIterable<Parsed>) {
      const { values, trimmed } = valuesOf(record);
      const breaks = Object.values(values).flatMap((value) => value.match(/\r\n|\r|\n/g) ?? []);
      extra += breaks.filter((text) => text === '\r\n').length;
      const line = info.lines - breaks.length - extra;
      for (const at of unnamed) {
        if (values[unnamedColumn(at)] !== '')
          throw new FileError(`${file}, line ${line}: column ${at + 1} has a value, but no name.`);
        delete values[unnamedColumn(at)];
        delete trimmed?.[unnamedColumn(at)];
      }
      // Spreadsheets write such rows after the last row.
      if (Object.values(values).every((value) => value === '')) continue;
      yield { line, values, ...(trimmed && { trimmed }) };
    }
  } catch (error) {
    if (error instanceof CsvError) throw explain(file, error, width, isExact);
    throw error;
  } finally {
    parser.destroy();
    await feeding;
  }
}

/** Internal name of a column without a name. */
function unnamedColumn(at: number): string {
  return `\0${at}`;
}

function withoutEmptyEnd(names: readonly string[]): string[] {
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

function valuesOf(record: Readonly<Record<string, string | Trimmed>>): {
  values: Record<string, string>;
  trimmed?: Record<string, string>;
} {
  const entries = Object.entries(record);
  const values = entries.map(([name, cell]) => [name, cell instanceof Trimmed ? cell.exact : cell]);
  if (!entries.some(([, cell]) => cell instanceof Trimmed)) return { values: Object.fromEntries(values) };
  const trimmed = entries.map(([name, cell]) => [name, cell instanceof Trimmed ? cell.trimmed : cell]);
  return { values: Object.fromEntries(values), trimmed: Object.fromEntries(trimmed) };
}

/** Reads the source in chunks. Normalizes line breaks, unless values must keep them. */
async function* readChunks(source: TextSource, isExact: boolean): AsyncGenerator<string> {
  for await (const { text } of readText(source)) yield isExact ? text : text.replace(/\r\n?/g, '\n');
}

/** Reads at least up to the end of the first line that is not empty. */
async function readBeginning(file: string, chunks: AsyncGenerator<string>): Promise<string> {
  let beginning = '';
  while (beginning.trim() === '') {
    const { done, value } = await chunks.next();
    if (done) throw new FileError(`${file}: the file is empty.`);
    beginning += value;
  }
  return beginning;
}

async function* followedBy(beginning: string, chunks: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield beginning;
    yield* chunks;
  } finally {
    // Closes the file if the reader stops early.
    await chunks.return(undefined);
  }
}

/** Finds the delimiter in the first line, which in practice contains quoted delimiters only in an exact source. */
function delimiterOf(beginning: string, isExact: boolean): string {
  // A doubled quote ends one quoted part and begins the next.
  const names = isExact ? beginning.replace(/"[^"]*"/g, '') : beginning;
  const [header = ''] = names.trimStart().split(/\r\n?|\n/);
  const counts = delimiters.map((delimiter) => header.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

function checkColumns(file: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (names.includes('')) throw new FileError(`${file}, line 1: column ${names.indexOf('') + 1} has no name.`);
  if (twice !== undefined) throw new FileError(`${file}, line 1: two columns have the name "${twice}".`);
}

/** Does not quote the file, because its lines may contain personal data. */
function explain(
  file: string,
  error: InstanceType<typeof import('csv-parse').CsvError>,
  width: number,
  isExact: boolean,
): FileError {
  const line = typeof error.lines === 'number' ? error.lines : '?';
  return new FileError(`${file}, line ${line}: ${reasonFor(error.code, width, isExact)}.`);
}

function reasonFor(code: string, width: number, isExact: boolean): string {
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
      return `the number of values differs from the number of columns, which is ${width}`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quoted value that begins on this line or an earlier line is not closed';
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return `a value contains a quote: double the quote, and enclose the value in quotes${isExact ? ', without a space before or after the quoted value' : ''}`;
    case 'CSV_MAX_RECORD_SIZE':
      return `the row is longer than ${maxRecordSize / 1024 / 1024} MiB, or a quoted value is not closed`;
    default:
      return `the row cannot be read (${code})`;
  }
}
