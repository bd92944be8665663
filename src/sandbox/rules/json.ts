import { maxBodySize, maxNesting } from '../limits.ts';
import { rejection } from './rejection.ts';

/**
 * Parses JSON of limited size and depth, so that no later step overflows the stack.
 *
 * @throws `Rejection` if the text exceeds a limit, and `SyntaxError` if the text is not JSON
 */
export function parseJson(text: string, levels = maxNesting): unknown {
  if (text.length > maxBodySize)
    throw rejection(413, `The body has more than ${maxBodySize} bytes. Send a smaller body.`, 'body-size');
  const parsed: unknown = JSON.parse(text);
  // A short text cannot nest more levels than it has characters.
  if (text.length <= levels) return parsed;
  let level = [parsed].filter(isContainer);
  // Does not recurse, so that no value can overflow the stack.
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels)
      throw rejection(400, `The body nests arrays and objects more than ${levels} levels deep.`, 'body-nesting');
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return parsed;
}

/** Parses JSON like `parseJson`. Returns `undefined` if the text is not JSON or exceeds a limit. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an array or an object. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
