import { closeSync, openSync, readSync, truncateSync } from 'node:fs';
import type { StoredChange } from '../store.ts';
import { readLine } from './journal-lines.ts';

const smallestBuffer = 1024 * 1024;
const newline = 0x0a;

/**
 * Reads the changes of a file, a line at a time: a large file does not fit into a string. All reads share one buffer. A
 * new one for each read would make the engine collect the whole heap again and again while the data loads.
 *
 * @param mayBeTorn - whether the last line may be incomplete, because a process ended in the middle of a write. It is
 * then cut off: its request was not answered.
 * @throws `Error` that names file and line if another line is damaged
 */
export function* readChanges(file: string, mayBeTorn: boolean): Generator<StoredChange> {
  const handle = openSync(file, 'r');
  try {
    let buffer: Buffer = Buffer.allocUnsafe(smallestBuffer);
    let line = 0;
    let complete = 0;
    /** Bytes at the start of the buffer that belong to an incomplete line. */
    let held = 0;
    for (;;) {
      if (held === buffer.length) buffer = enlarged(buffer);
      const length = readSync(handle, buffer, held, buffer.length - held, null);
      if (length === 0) break;
      const filled = held + length;
      let start = 0;
      // The bytes from before have no line end.
      for (let from = held; ; from = start) {
        const end = buffer.subarray(0, filled).indexOf(newline, from);
        if (end < 0) break;
        line += 1;
        yield* parse(buffer.toString('utf8', start, end), file, line);
        start = end + 1;
      }
      buffer.copyWithin(0, start, filled);
      complete += start;
      held = filled - start;
    }
    if (held === 0) return;
    if (!mayBeTorn) throw new Error(`${file}: the last line is incomplete`);
    truncateSync(file, complete);
  } finally {
    closeSync(handle);
  }
}

function enlarged(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}

function parse(text: string, file: string, line: number): StoredChange[] {
  try {
    return readLine(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file}, line ${line}: ${reason}. Restore the file from a copy, or start with another folder.`);
  }
}
