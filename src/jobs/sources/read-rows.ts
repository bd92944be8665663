/// <reference types="node" />
import { extname } from 'node:path';
import { JobsError } from '../jobs-error.ts';
import { readCsv } from './csv.ts';
import type { FileRow } from './file-row.ts';
import { readNdjson } from './ndjson.ts';

const readers: Record<string, (file: string) => AsyncGenerator<FileRow>> = {
  '.csv': readCsv,
  '.ndjson': readNdjson,
  '.jsonl': readNdjson,
};

/**
 * Reads a file by its extension: `.csv`, `.ndjson` or `.jsonl`.
 *
 * @throws `JobsError` if it has another extension, or if a line cannot be read
 */
export function readRows(file: string): AsyncGenerator<FileRow> {
  const read = readers[extname(file).toLowerCase()];
  if (read) return read(file);
  throw new JobsError(`${file}: the name must end in ${Object.keys(readers).join(', ')}.`);
}
