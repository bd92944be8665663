import { messageOf } from '../../shared/message-of.ts';
import type { Json } from '../types.ts';

/** Maximum number of characters of a value, so that each value fits into a statement. */
const maxCharacters = 16_000_000;

/** A value that cannot be stored as JSON. The message says why. */
export class UnstorableError extends Error {
  override readonly name = 'UnstorableError';
}

/**
 * Converts a value from a user's program to plain JSON data. Large integers become strings.
 *
 * @throws `UnstorableError` if the value is not plain data or is too large
 */
export function toStorable(value: unknown): Json {
  let text: string;
  try {
    text = stringify(value);
  } catch (error) {
    throw new UnstorableError(`not plain data: ${messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  }
  if (text.length > maxCharacters)
    throw new UnstorableError(`${text.length} characters, but at most ${maxCharacters} are allowed`);
  return JSON.parse(text);
}

/** Replaces NUL and lone surrogates, which Postgres rejects in text columns. */
export function toStorableString(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, '\ufffd');
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
