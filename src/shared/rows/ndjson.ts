import { isRecord } from '../is-record.ts';
import { FileError } from './file-error.ts';
import type { FileRow } from './file-row.ts';
import { readText, type TextSource } from './read-text.ts';

/**
 * Reads one JSON object per line. Empty lines are skipped.
 *
 * @throws `FileError` if a line is not a JSON object
 */
export async function* readNdjson(source: TextSource): AsyncGenerator<FileRow> {
  for await (const { line: first, text } of readText(source)) {
    let line = first;
    for (const json of text.split('\n')) {
      if (json.trim() !== '') yield { line, values: parse(source.name, line, json) };
      line += 1;
    }
  }
}

function parse(file: string, line: number, json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    // The parser's message quotes the line, which may contain personal data.
    throw new FileError(`${file}, line ${line}: the line is not JSON.`, {
      cause: cause instanceof Error && cause.name,
    });
  }
  if (!isRecord(value)) throw new FileError(`${file}, line ${line}: the line is not a JSON object.`);
  return value;
}
