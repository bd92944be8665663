import { closeSync, openSync, readSync, truncateSync } from 'node:fs';
import type { StoredChange } from '../sandbox/store.ts';
import { readLine } from './journal-lines.ts';

const chunkSize = 4 * 1024 * 1024;
const newline = 0x0a;

/**
 * Reads the changes of a file, a chunk at a time: a large file does not fit into a string.
 *
 * @param mayBeTorn - whether the last line may be incomplete, because a process ended in the middle of a write. It is
 * then cut off: its request was not answered.
 * @throws `Error` that names file and line if another line is damaged
 */
export function* readChanges(file: string, mayBeTorn: boolean): Generator<StoredChange> {
  const handle = openSync(file, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    let line = 0;
    let complete = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkSize);
      const length = readSync(handle, chunk, 0, chunkSize, null);
      if (length === 0) break;
      rest = Buffer.concat([rest, chunk.subarray(0, length)]);
      const end = rest.lastIndexOf(newline) + 1;
      if (end === 0) continue;
      for (const text of rest.toString('utf8', 0, end - 1).split('\n')) {
        line += 1;
        yield* parse(text, file, line);
      }
      complete += end;
      rest = rest.subarray(end);
    }
    if (rest.length === 0) return;
    if (!mayBeTorn) throw new Error(`${file}: the last line is incomplete`);
    truncateSync(file, complete);
  } finally {
    closeSync(handle);
  }
}

function parse(text: string, file: string, line: number): StoredChange[] {
  try {
    return readLine(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file}, line ${line}: ${reason}. Restore the file from a copy, or start with another folder.`);
  }
}
