/// <reference types="node" />
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { JobsError } from '../jobs-error.ts';
import { fileError } from './file-error.ts';

/** Some complete lines of a file. */
export interface Lines {
  /** Number of the first line, from 1. */
  line: number;
  /** The lines, each with its line break. The last line of a file may have none. */
  text: string;
}

const newline = 0x0a;
/** A longer line is a damaged file, or not a file of lines. Without a limit it would fill the memory. */
const longestLine = 16 * 1024 * 1024;
const byteOrderMark = '\uFEFF';

/**
 * Reads a text file, some lines at a time.
 *
 * @throws `JobsError` if it cannot be read, is not UTF-8 or has a line of more than 16 MiB
 */
export async function* readText(file: string): AsyncGenerator<Lines> {
  let line = 1;
  let rest: Buffer[] = [];
  let waiting = 0;
  for await (const chunk of readBytes(file)) {
    const end = chunk.lastIndexOf(newline) + 1;
    waiting += chunk.length;
    if (waiting > longestLine && end === 0) throw tooLong(file, line);
    if (end === 0) {
      rest.push(chunk);
      continue;
    }
    const bytes = Buffer.concat([...rest, chunk.subarray(0, end)]);
    rest = [chunk.subarray(end)];
    waiting = chunk.length - end;
    yield { line, text: decode(file, line, bytes) };
    line += countLines(bytes);
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) yield { line, text: decode(file, line, last) };
}

async function* readBytes(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk;
  } catch (error) {
    throw fileError(file, error);
  }
}

function decode(file: string, line: number, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8(file, line, bytes);
  const text = bytes.toString('utf8');
  return line === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

function notUtf8(file: string, first: number, bytes: Buffer): JobsError {
  let line = first;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(newline, start) + 1 || bytes.length;
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end;
  }
  return new JobsError(`${file}, line ${line}: this is not UTF-8. Save the file with the encoding UTF-8.`);
}

function tooLong(file: string, line: number): JobsError {
  return new JobsError(`${file}, line ${line}: the line is longer than ${longestLine / 1024 / 1024} MiB.`);
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}
