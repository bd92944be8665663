/// <reference types="node" />
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { FolderInUseError, lockFolder } from '../../shared/lock.ts';

/** A line of the journal. The last line of a row and step counts. */
export interface Line {
  row: string;
  step: string;
  state: 'started' | 'not done' | 'done';
  /** What was sent. */
  values: unknown;
  /** Identifies what was sent. */
  marker: string;
  /** What `send` or `find` returned. */
  id?: number | string;
}

/** The lines of a file, by row and step, and the file behind them. */
export class JournalFile {
  readonly #lines = new Map<string, Line>();
  readonly #handle: FileHandle;
  readonly #release: () => Promise<void>;

  private constructor(handle: FileHandle, release: () => Promise<void>) {
    this.#handle = handle;
    this.#release = release;
  }

  static async open(path: string): Promise<JournalFile> {
    const release = await lock(path);
    try {
      const file = new JournalFile(await open(path, 'a'), release);
      for await (const text of createInterface({ input: createReadStream(path) })) file.#keep(parse(text));
      return file;
    } catch (error) {
      await release();
      throw error;
    }
  }

  get(row: string, step: string): Line | undefined {
    return this.#lines.get(keyOf(row, step));
  }

  /** Resolves once the disk has the line. */
  async write(line: Line): Promise<void> {
    // The line break comes first: it ends a line that a crash cut off.
    await this.#handle.appendFile(`\n${JSON.stringify(line)}`);
    await this.#handle.datasync();
    this.#keep(line);
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.#release();
  }

  #keep(line: Line | undefined): void {
    if (line) this.#lines.set(keyOf(line.row, line.step), line);
  }
}

function keyOf(row: string, step: string): string {
  return JSON.stringify([row, step]);
}

/** `undefined` for an empty line, or one that a crash cut off: the line before it then counts. */
function parse(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  if (!('row' in value && 'step' in value && 'state' in value && 'marker' in value)) return false;
  return [value.row, value.step, value.marker].every((part) => typeof part === 'string');
}

/** Locks the file against other processes. The system releases the lock when the process ends, even after `kill -9`. */
async function lock(path: string): Promise<() => Promise<void>> {
  const folder = `${path}.lock`;
  await mkdir(folder, { recursive: true });
  try {
    const release = await lockFolder(folder);
    return async () => {
      await release();
      await rm(folder, { recursive: true, force: true });
    };
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new Error(`${path} is in use by another process. Run one at a time.`, { cause: error });
  }
}
