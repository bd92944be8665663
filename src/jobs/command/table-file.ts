import { access, constants, open, rename, rm } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../../shared/command-line.ts';
import { csvCell } from '../../shared/rows/csv-cell.ts';
import { removeLeftovers, temporaryName } from '../../shared/temporary-file.ts';
import type { FileValues } from '../built-in/file-source.ts';
import { jobsFileError } from '../sources/read-rows.ts';
import { type OutputOptions, say } from './output.ts';
import { describeCount } from './progress.ts';

const formats = ['.csv', '.ndjson', '.jsonl'];

/**
 * Checks the name of a new file before the work starts.
 *
 * @throws `UsageError` if a file with this name cannot be written, or if the file exists, because a person may have edited it
 */
export async function checkNewFile(file: string): Promise<void> {
  if (!formats.includes(extname(file).toLowerCase())) {
    throw new UsageError(`${file}: the file name must end in ${formats.join(', ')}.`);
  }
  await access(dirname(file), constants.W_OK).catch(() => {
    throw new UsageError(`${file}: the folder ${dirname(file)} does not exist, or this user cannot write to it.`);
  });
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new UsageError(`${file} exists and may contain your edits. Remove it, or specify another file.`);
}

/** Writes rows to a new file, as {@link writeTable} does, and prints the number of rows. */
export async function saveRows(
  options: OutputOptions,
  file: string,
  ...table: [read: () => AsyncIterable<FileValues>, sort?: (columns: string[]) => string[]]
): Promise<void> {
  await checkNewFile(file);
  const rows = await writeTable(file, ...table);
  say(options, { file, rows }, `${file}: ${describeCount(rows)}.`);
}

/**
 * Writes rows as CSV or NDJSON, depending on the extension of the file. The file appears only after all rows are written.
 *
 * @param read - reads the rows; called twice for CSV, because the first line needs the columns of all rows
 * @param sort - orders the columns of a CSV file (default: order of appearance)
 * @returns number of rows
 */
export async function writeTable(
  file: string,
  read: () => AsyncIterable<FileValues>,
  sort: (columns: string[]) => string[] = (columns) => columns,
): Promise<number> {
  removeLeftovers(file);
  const unfinished = temporaryName(file);
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    const format = extname(file).toLowerCase() === '.csv' ? await csvFormat(read, sort) : ndjson;
    yield format.header;
    for await (const row of read()) {
      count += 1;
      yield format.line(row);
    }
  }
  try {
    // The file is readable only by the user, because it contains personal data. It is opened here, because a stream could create the
    // file after it was removed below.
    const handle = await open(unfinished, 'wx', 0o600);
    await pipeline(lines(), handle.createWriteStream());
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw isSystemError(error) ? jobsFileError(file, error) : error;
  }
  return count;
}

const ndjson = { header: '', line: (row: FileValues) => `${JSON.stringify(row)}\n` };

async function csvFormat(read: () => AsyncIterable<FileValues>, sort: (columns: string[]) => string[]) {
  const columns = new Set<string>();
  for await (const row of read()) for (const name of Object.keys(row)) columns.add(name);
  const names = sort([...columns]);
  const line = (cells: unknown[]): string => `${cells.map((value) => csvCell(textOf(value))).join(',')}\n`;
  return { header: line(names), line: (row: FileValues) => line(names.map((name) => row[name])) };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
