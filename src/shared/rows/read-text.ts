/// <reference types="node" />
import { isUtf8 } from 'node:buffer';
import { FileError, fileError } from './file-error.ts';

/** Text that is read as a stream. */
export interface TextSource {
  /** Path of the file, or a name for standard input, for messages. */
  name: string;
  open(): AsyncIterable<Buffer>;
}

/** Several complete lines of a file. */
export interface Lines {
  /** Number of the first line, counted from 1. */
  line: number;
  /** The lines with their line breaks. The last line of a file may not have one. */
  text: string;
}

const newline = 0x0a;
/** Maximum length of a line, to limit memory. A file with a longer line is damaged or not a text file. */
const maxLineLength = 16 * 1024 * 1024;
const byteOrderMark = '\uFEFF';

/**
 * Reads text, several lines at a time.
 *
 * @throws `FileError` if the source cannot be read, is not UTF-8 or has a line of more than 16 MiB
 */
export async function* readText(source: TextSource): AsyncGenerator<Lines> {
  const file = source.name;
  let line = 1;
  let rest: Buffer[] = [];
  let waiting = 0;
  for await (const chunk of readBytes(source)) {
    const end = chunk.lastIndexOf(newline) + 1;
    waiting += chunk.length;
    if (waiting > maxLineLength && end === 0) throw tooLong(file, line);
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

async function* readBytes({ name, open }: TextSource): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of open()) yield chunk;
  } catch (error) {
    throw fileError(name, error);
  }
}

function decode(file: string, line: number, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8(file, line, bytes);
  const text = bytes.toString('utf8');
  return line === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

function notUtf8(file: string, first: number, bytes: Buffer): FileError {
  let line = first;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(newline, start) + 1 || bytes.length;
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end;
  }
  return new FileError(`${file}, line ${line}: the line is not UTF-8. Save the file in UTF-8.`);
}

function tooLong(file: string, line: number): FileError {
  return new FileError(`${file}, line ${line}: the line is longer than ${maxLineLength / 1024 / 1024} MiB.`);
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}
