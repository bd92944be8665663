import { JobsError } from '../jobs-error.ts';
import type { FileRow } from './file-row.ts';
import { readText } from './read-text.ts';

/**
 * Reads a file with one JSON object per line. Empty lines are skipped.
 *
 * @throws `JobsError` if a line is not a JSON object
 */
export async function* readNdjson(file: string): AsyncGenerator<FileRow> {
  for await (const { line: first, text } of readText(file)) {
    let line = first;
    for (const json of text.split('\n')) {
      if (json.trim() !== '') yield { line, values: parse(file, line, json) };
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
    throw new JobsError(`${file}, line ${line}: this is not JSON.`, { cause: cause instanceof Error && cause.name });
  }
  if (!isObject(value)) throw new JobsError(`${file}, line ${line}: this is not a JSON object.`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
