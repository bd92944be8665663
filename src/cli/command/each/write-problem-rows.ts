import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileError } from '../../../shared/rows/file-error.ts';
import type { RowFormat } from '../../../shared/rows/read-rows.ts';
import { removeLeftovers, temporaryName } from '../../../shared/temporary-file.ts';
import { csvLine } from '../output.ts';
import { addedColumns } from './method-columns.ts';
import type { EachRow } from './rows.ts';

/** Maximum size of files that are compared, in bytes. If the files are larger, the earlier file is kept. */
const comparedBytes = 16 * 1024 * 1024;

/**
 * Writes a file of rows, each with its line, key, reason and own values. The file gets its final name only when it is complete.
 * An existing file is renamed, because a person may have edited it.
 *
 * @param columns - CSV column names
 * @returns the new name of an earlier file, if a file was renamed
 */
export function writeProblemRows(
  path: string,
  format: RowFormat,
  columns: readonly string[],
  rows: Iterable<EachRow>,
): string | undefined {
  const unfinished = temporaryName(path);
  try {
    removeLeftovers(path);
    // Only the user can read the file, because it contains personal data.
    const file = openSync(unfinished, 'wx', 0o600);
    try {
      for (const line of linesOf(format, columns, rows)) writeFileSync(file, `${line}\n`);
    } finally {
      closeSync(file);
    }
    const earlier = statSync(path, { throwIfNoEntry: false });
    if (earlier?.isFile()) chmodSync(unfinished, earlier.mode & 0o777);
    const kept = earlier && !hasSameContent(path, unfinished) ? keepEarlier(path) : undefined;
    renameSync(unfinished, path);
    return kept;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw fileError(path, error);
  }
}

function* linesOf(format: RowFormat, columns: readonly string[], rows: Iterable<EachRow>): Generator<string> {
  const own = columns.filter((name) => !addedColumns.some((added) => added === name));
  if (format === 'csv') yield csvLine([...addedColumns, ...own]);
  for (const { line, key, problem = '', values } of rows) {
    const cells = [line, key, problem, ...own.map((name) => values[name])];
    yield format === 'csv'
      ? csvLine(cells.map((cell) => String(cell ?? '')))
      : JSON.stringify({ ...values, line, key, reason: problem });
  }
}

function keepEarlier(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.${number}`;
    if (existsSync(name)) continue;
    renameSync(path, name);
    return name;
  }
}

function hasSameContent(one: string, other: string): boolean {
  const { size } = statSync(one);
  return size === statSync(other).size && size <= comparedBytes && readFileSync(one).equals(readFileSync(other));
}
