import type { Steps } from './slices.ts';

/** Maximum nesting of arrays and objects in a body. */
export const maxNesting = 100;

/**
 * Maximum number of commas, colons and opening brackets in a body, outside its texts. Each item and field has one of them. The
 * longest documented list has 1,000 items; reading far more would make other users wait.
 */
export const maxMarks = 21_000;

/** A JSON text nests arrays and objects too deeply. */
export class NestingError extends Error {
  override readonly name = 'NestingError';

  constructor() {
    super(`The body nests arrays and objects more than ${maxNesting} levels deep.`);
  }
}

/** A JSON text has too many items and fields. */
export class ManyItemsError extends Error {
  override readonly name = 'ManyItemsError';

  constructor() {
    super(
      `The body has more than ${maxMarks} commas, colons and opening brackets outside of texts, so it has too many items or fields. Send less at once.`,
    );
  }
}

/**
 * Parses JSON of limited depth and content, so that no later step can overflow the stack or take long.
 *
 * @throws `NestingError` or `ManyItemsError` if it exceeds a limit, and `SyntaxError` if the text is not JSON
 */
export function parseJson(text: string): unknown {
  measure(text);
  return JSON.parse(text);
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Checks a text before it is parsed. Counting is far faster than parsing. */
function measure(text: string): void {
  let depth = 0;
  let left = maxMarks;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
      continue;
    }
    if (code === comma || code === colon) left -= 1;
    else if (code === openArray || code === openObject) {
      left -= 1;
      depth += 1;
      if (depth > maxNesting) throw new NestingError();
    } else if (code === closeArray || code === closeObject) depth -= 1;
    if (left < 0) throw new ManyItemsError();
  }
}

/** Index of the quote that ends a string, or of the end of the text. */
function endOfString(text: string, start: number): number {
  const first = text.indexOf('"', start + 1);
  if (first === -1) return text.length;
  if (text.charCodeAt(first - 1) !== backslash) return first;
  // The string has an escape. Looking at each character is then faster than looking for each quote.
  for (let end = start + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === quote) return end;
    if (code === backslash) end += 1;
  }
  return text.length;
}

/** Writes plain data as JSON in steps. Each step is one record of a snapshot. */
export function* jsonInSteps(value: unknown, levels = 3): Steps<string> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    yield;
    return JSON.stringify(value) ?? 'null';
  }
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(yield* jsonInSteps(item, 0));
    return `[${parts.join(',')}]`;
  }
  for (const [name, inner] of Object.entries(value))
    if (inner !== undefined) parts.push(`${JSON.stringify(name)}:${yield* jsonInSteps(inner, levels - 1)}`);
  return `{${parts.join(',')}}`;
}

/** Levels of a snapshot above its records: the whole, the state, an area and a table. */
const snapshotLevels = 4;

/**
 * Parses a snapshot in steps, because a large one would otherwise delay other requests. Each step is one record, with the limits
 * of `parseJson`.
 *
 * @throws the same errors as `parseJson`
 */
export function* parseSnapshot(text: string): Steps<unknown> {
  const reader = new SnapshotReader(text);
  const value = yield* reader.value(snapshotLevels);
  reader.end();
  return value;
}

class SnapshotReader {
  readonly #text: string;
  readonly #blank = /[ \t\n\r]*/y;
  #place = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *value(levels: number): Steps<unknown> {
    const code = this.#next();
    if (levels > 0 && code === openObject) return yield* this.#object(levels - 1);
    if (levels > 0 && code === openArray) return yield* this.#array(levels - 1);
    const start = this.#place;
    this.#skipValue();
    yield;
    return parseJson(this.#text.slice(start, this.#place));
  }

  end(): void {
    if (!Number.isNaN(this.#next())) throw this.#unexpected();
  }

  *#object(levels: number): Steps<unknown> {
    const entries: [string, unknown][] = [];
    while (this.#hasMore(entries.length, closeObject)) {
      const name = this.#key();
      entries.push([name, yield* this.value(levels)]);
    }
    return Object.fromEntries(entries);
  }

  *#array(levels: number): Steps<unknown[]> {
    const items: unknown[] = [];
    while (this.#hasMore(items.length, closeArray)) items.push(yield* this.value(levels));
    return items;
  }

  /** Moves to the next of several entries, or behind the last one. */
  #hasMore(read: number, closing: number): boolean {
    if (read === 0) this.#place += 1;
    const code = this.#next();
    if (code === closing) this.#place += 1;
    else if (read > 0 && code === comma) this.#place += 1;
    else if (read > 0) throw this.#unexpected();
    return code !== closing;
  }

  #key(): string {
    if (this.#next() !== quote) throw this.#unexpected();
    const start = this.#place;
    this.#place = endOfString(this.#text, start) + 1;
    const name: string = JSON.parse(this.#text.slice(start, this.#place));
    if (this.#next() !== colon) throw this.#unexpected();
    this.#place += 1;
    return name;
  }

  /** Skips white space. Returns the code of the next character, or NaN at the end. */
  #next(): number {
    this.#blank.lastIndex = this.#place;
    this.#blank.test(this.#text);
    this.#place = this.#blank.lastIndex;
    return this.#text.charCodeAt(this.#place);
  }

  /** Moves to the end of a value, which `parseJson` then checks. */
  #skipValue(): void {
    let depth = 0;
    for (; this.#place < this.#text.length; this.#place += 1) {
      const code = this.#text.charCodeAt(this.#place);
      if (code === quote) this.#place = endOfString(this.#text, this.#place);
      else if (code === openArray || code === openObject) depth += 1;
      else if (depth === 0 && (code === comma || code === closeArray || code === closeObject)) return;
      else if (code === closeArray || code === closeObject) depth -= 1;
    }
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`Unexpected character at ${this.#place}`);
  }
}
