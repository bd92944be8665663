/// <reference types="node" />
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { type CsvOptions, readCsv } from './csv.ts';
import { FileError } from './file-error.ts';
import type { FileRow } from './file-row.ts';
import { readNdjson } from './ndjson.ts';
import type { TextSource } from './read-text.ts';

/** A format of rows. */
export type RowFormat = 'csv' | 'ndjson';

const formats: Readonly<Record<string, RowFormat>> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

/**
 * Returns the format of a file by its extension: `.csv`, `.ndjson` or `.jsonl`.
 *
 * @throws `FileError` if the file has another extension
 */
export function formatOf(file: string): RowFormat {
  const format = formats[extname(file).toLowerCase()];
  if (format) return format;
  throw new FileError(`${file}: the name must end in ${Object.keys(formats).join(', ')}.`);
}

/** A file as a source of rows, which can be read several times. */
export function toTextSource(file: string): TextSource {
  return { name: file, open: () => createReadStream(file) };
}

/**
 * Reads rows from a source. Empty lines are skipped. In CSV, rows whose cells are all empty are also skipped.
 *
 * @param onColumns - receives the names of the columns of a CSV source before the first row
 * @throws `FileError` if a line cannot be read
 */
export function readSource(
  source: TextSource,
  format: RowFormat,
  onColumns?: (names: readonly string[]) => void,
  options?: CsvOptions,
): AsyncGenerator<FileRow> {
  return format === 'csv' ? readCsv(source, onColumns, options) : readNdjson(source);
}
