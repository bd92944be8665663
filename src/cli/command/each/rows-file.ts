import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileError } from '../../../shared/rows/file-error.ts';
import type { RowFormat } from '../../../shared/rows/read-rows.ts';
import { removeLeftovers, temporaryName } from '../../../shared/temporary-file.ts';
import { csvLine } from '../output.ts';
import { addedColumns } from './column-names.ts';
import type { EachRow } from './rows.ts';

/** Larger files are not compared, and the earlier one is kept. */
const comparedBytes = 16 * 1024 * 1024;

/**
 * A file of rows, each with line, key, reason and its own values. The file gets its name when it is complete. An earlier
 * file, which a person may have edited, is renamed.
 */
export class RowsFile {
  readonly path: string;
  readonly #columns: readonly string[];
  readonly #format: RowFormat;
  readonly #unfinished: string;
  #opened: number | undefined;
  /** Bytes of whole rows. */
  #size = 0;

  /** @param columns - names of the columns of CSV */
  constructor(path: string, format: RowFormat, columns: readonly string[]) {
    this.path = path;
    this.#columns = columns;
    this.#format = format;
    this.#unfinished = temporaryName(path);
  }

  add({ line, key, values }: EachRow, reason: string): void {
    if (this.#format === 'ndjson') {
      this.#write(`${JSON.stringify({ ...values, line, key, reason })}\n`);
      return;
    }
    const own = this.#columns.filter((name) => !addedColumns.some((added) => added === name));
    if (this.#opened === undefined) this.#write(lineOf([...addedColumns, ...own]));
    this.#write(lineOf([line, key, reason, ...own.map((name) => values[name])]));
  }

  /**
   * Gives the file its name, if it has rows.
   *
   * @returns the new name of an earlier file, if there was one
   */
  finish(): string | undefined {
    if (this.#opened === undefined) return undefined;
    closeSync(this.#opened);
    this.#opened = undefined;
    try {
      const earlier = statSync(this.path, { throwIfNoEntry: false });
      if (earlier?.isFile()) chmodSync(this.#unfinished, earlier.mode & 0o777);
      const kept = this.#keepEarlier();
      renameSync(this.#unfinished, this.path);
      return kept;
    } catch (error) {
      throw fileError(this.path, error);
    }
  }

  #keepEarlier(): string | undefined {
    if (!existsSync(this.path) || hasSameContent(this.path, this.#unfinished)) return undefined;
    for (let number = 1; ; number += 1) {
      const name = `${this.path}.${number}`;
      if (existsSync(name)) continue;
      renameSync(this.path, name);
      return name;
    }
  }

  #write(text: string): void {
    try {
      // Only the user can read the file, because it contains personal data.
      if (this.#opened === undefined) removeLeftovers(this.path);
      this.#opened ??= openSync(this.#unfinished, 'wx', 0o600);
      // Writes all of the text, or fails.
      writeFileSync(this.#opened, text);
      this.#size += Buffer.byteLength(text);
    } catch (error) {
      // On a full disk, a part of a row may be written, which would look like a whole one.
      if (this.#opened !== undefined) ftruncateSync(this.#opened, this.#size);
      throw fileError(this.path, error);
    }
  }
}

function lineOf(cells: readonly unknown[]): string {
  return `${csvLine(cells.map((cell) => (cell === undefined ? '' : String(cell))))}\n`;
}

function hasSameContent(one: string, other: string): boolean {
  const { size } = statSync(one);
  return size === statSync(other).size && size <= comparedBytes && readFileSync(one).equals(readFileSync(other));
}
