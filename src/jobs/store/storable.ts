import type { Json } from '../types.ts';

/** Limits of a value, so that each one fits into a statement, and Postgres can parse it. */
const limits = { maxCharacters: 16_000_000, maxDepth: 1_000 };

/** A value that cannot be stored as JSON. The message says why. */
export class UnstorableError extends Error {
  override readonly name = 'UnstorableError';
}

/** Writes JSON for a `jsonb` column. Replaces NUL and lone surrogates, which Postgres refuses. Large integers become text. */
export function toJsonb(value: unknown): string {
  const text = stringify(value);
  // JSON escapes both, in names and in values, and few texts contain them. It writes pairs of surrogates as they are.
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text;
  return text.replaceAll(/\\(?:u[0-9a-f]{4}|.)/g, (found) => (/^\\u(?:0000|d[89a-f])/.test(found) ? '\ufffd' : found));
}

/**
 * Writes a value of a user's program as JSON for a `jsonb` column.
 *
 * @throws `UnstorableError` if it is not plain data, too large, or too deep
 */
export function toStorableJsonb(value: unknown): string {
  let text: string;
  try {
    text = toJsonb(value);
  } catch (error) {
    throw new UnstorableError(`it is not plain data: ${messageOf(error)}`);
  }
  if (text.length > limits.maxCharacters)
    throw new UnstorableError(`it has ${text.length} characters, and ${limits.maxCharacters} are possible`);
  if (text.length > limits.maxDepth && depthOf(text) > limits.maxDepth)
    throw new UnstorableError(`it is nested more than ${limits.maxDepth} deep`);
  return text;
}

/**
 * Converts a value of a user's program to what the database returns for it.
 *
 * @throws `UnstorableError`
 */
export function toStorable(value: unknown): Json {
  return JSON.parse(toStorableJsonb(value));
}

/** Message of anything that was thrown, in one line of at most 200 characters. */
function messageOf(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message : String(error);
    return text.replaceAll(/\s+/g, ' ').slice(0, 200);
  } catch {
    return 'it cannot be shown';
  }
}

function stringify(value: unknown): string {
  try {
    // `undefined`, a function and a symbol have no JSON.
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) ?? 'null';
  }
}

/** Walks through the text, because a pattern for strings would overflow the stack in one of ten million characters. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
