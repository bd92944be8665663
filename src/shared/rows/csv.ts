/// <reference types="node" />
import { pipeline } from 'node:stream/promises';
import type { Info } from 'csv-parse';
import { FileError } from './file-error.ts';
import type { FileRow } from './file-row.ts';
import { readText, type TextSource } from './read-text.ts';

interface Parsed {
  info: Info;
  record: Record<string, string>;
}

const delimiters = [',', ';', '\t'] as const;
const longestRecord = 16 * 1024 * 1024;
const options = { trim: true, skip_empty_lines: true, info: true, max_record_size: longestRecord } as const;

/**
 * Reads CSV whose first line names the columns. The delimiter is a comma, semicolon or tab, whichever is the most frequent in the
 * first line. Empty lines are skipped. Requires the package `csv-parse`.
 *
 * @param onColumns - receives the names of the columns before the first row
 * @throws `FileError` if a line cannot be read, or has more or fewer values than the first line
 */
export async function* readCsv(
  source: TextSource,
  onColumns?: (names: readonly string[]) => void,
): AsyncGenerator<FileRow> {
  const { CsvError, parse } = await import('csv-parse');
  const file = source.name;
  let width = 0;
  const columns = (names: string[]): string[] => {
    width = names.length;
    checkColumns(file, names);
    onColumns?.(names);
    return names;
  };
  const texts = readTexts(source);
  const beginning = await readBeginning(file, texts);
  const parser = parse({ ...options, columns, delimiter: delimiterOf(beginning) });
  // On error, the pipeline destroys the parser, so that the loop below rejects with the error.
  const feeding = pipeline(followedBy(beginning, texts), parser).catch(() => undefined);
  try {
    for await (const { info, record } of parser as AsyncIterable<Parsed>) {
      yield { line: firstLine(info, record), values: record };
    }
  } catch (error) {
    if (error instanceof CsvError) throw explain(file, error, width);
    throw error;
  } finally {
    parser.destroy();
    await feeding;
  }
}

/** Normalizes line breaks, because the parser counts `\r\n` inside quotes as two lines. */
async function* readTexts(source: TextSource): AsyncGenerator<string> {
  for await (const { text } of readText(source)) yield text.replace(/\r\n?/g, '\n');
}

/** Reads the text at least up to the end of the first line that is not empty. */
async function readBeginning(file: string, texts: AsyncGenerator<string>): Promise<string> {
  let beginning = '';
  while (beginning.trim() === '') {
    const { done, value } = await texts.next();
    if (done) throw new FileError(`${file}: the file is empty.`);
    beginning += value;
  }
  return beginning;
}

async function* followedBy(beginning: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield beginning;
    yield* texts;
  } finally {
    // Closes the file if the reader stops early.
    await texts.return(undefined);
  }
}

/** Finds the delimiter in the first line, which contains no quoted delimiters in practice. */
function delimiterOf(beginning: string): string {
  const [header = ''] = beginning.trimStart().split('\n');
  const counts = delimiters.map((delimiter) => header.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

function checkColumns(file: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (names.includes('')) throw new FileError(`${file}, line 1: column ${names.indexOf('') + 1} has no name.`);
  if (twice !== undefined) throw new FileError(`${file}, line 1: two columns have the name "${twice}".`);
}

/** Returns the first line of a row. The parser states the last one, and a quoted value can contain line breaks. */
function firstLine({ lines }: Info, record: Record<string, string>): number {
  return Object.values(record).reduce((line, value) => line - (value.match(/\n/g)?.length ?? 0), lines);
}

/** Does not quote the file, because its lines may contain personal data. */
function explain(file: string, error: InstanceType<typeof import('csv-parse').CsvError>, width: number): FileError {
  const line = typeof error.lines === 'number' ? error.lines : '?';
  return new FileError(`${file}, line ${line}: ${reasonFor(error.code, width)}.`);
}

function reasonFor(code: string, width: number): string {
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
      return `the number of values differs from the number of columns, which is ${width}`;
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote that begins here or further up does not end';
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return 'a quote is inside a value; write it twice and put the value in quotes';
    case 'CSV_MAX_RECORD_SIZE':
      return `the row is longer than ${longestRecord / 1024 / 1024} MiB, or a quote does not end`;
    default:
      return `the row cannot be read (${code})`;
  }
}
