import { maxBodySize, maxBodyValues, maxNesting } from '../limits.ts';
import { Rejection } from './rejection.ts';

/**
 * Parses JSON of limited size and depth, so that no later step takes long or overflows the stack.
 *
 * @throws `Rejection` if it exceeds a limit, and `SyntaxError` if the text is not JSON
 */
export function parseJson(text: string): unknown {
  return parse(text, { values: maxBodyValues, levels: maxNesting });
}

/** Parses JSON like `parseJson`. Returns `undefined` if it is not JSON or exceeds a limit. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Levels of a snapshot above the fields of its records. */
const snapshotLevels = 10;

/** Parses a snapshot, which can have any number of values. Otherwise like `parseJson`. */
export function parseSnapshot(text: string): unknown {
  return parse(text, { values: Number.POSITIVE_INFINITY, levels: maxNesting + snapshotLevels });
}

function parse(text: string, { values, levels }: { values: number; levels: number }): unknown {
  if (text.length > maxBodySize) throw tooLarge(`${maxBodySize} bytes`);
  const parsed: unknown = JSON.parse(text);
  let count = 0;
  // Does not recurse, so that no value can overflow the stack.
  let level = [parsed];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) throw tooDeep(levels);
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      const inner = Object.values(one);
      count += inner.length;
      if (count > values) throw tooLarge(`${values} values`);
      for (const value of inner) if (typeof value === 'object' && value !== null) next.push(value);
    }
    level = next;
  }
  return parsed;
}

function tooLarge(limit: string): Rejection {
  const message = `The body has more than ${limit}. Send less at once.`;
  return new Rejection({ status: 413, body: { message }, choice: 'body-size' });
}

function tooDeep(levels: number): Rejection {
  const message = `The body nests arrays and objects more than ${levels} levels deep.`;
  return new Rejection({ status: 400, body: { message }, choice: 'body-nesting' });
}
