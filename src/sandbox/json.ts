import type { Steps } from './slices.ts';

/** The deepest nesting of arrays and objects that a body can have. */
export const deepestNesting = 100;

/** A JSON text nests arrays and objects too deeply. */
export class NestingError extends Error {
  override readonly name = 'NestingError';

  constructor() {
    super(`The body nests arrays and objects more than ${deepestNesting} levels deep.`);
  }
}

/**
 * Parses JSON of limited depth, so that no later step can overflow the stack.
 *
 * @throws `NestingError` if the nesting is too deep, and `SyntaxError` if the text is not JSON
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new NestingError();
  return JSON.parse(text);
}

/** Maximum number of colons in a body. Each field has one, and parsing more fields would delay other requests. */
export const mostColons = 50_000;

/** Whether a text may have too many fields. Counting them is far faster than parsing. */
export function hasManyFields(text: string): boolean {
  let left = mostColons;
  for (let place = text.indexOf(':'); place !== -1; place = text.indexOf(':', place + 1)) if (--left < 0) return true;
  return false;
}

/** Checks the text before it is parsed. */
function isTooDeep(text: string): boolean {
  if (hasFewOpeners(text)) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === openArray || code === openObject) {
      depth += 1;
      if (depth > deepestNesting) return true;
    } else if (code === closeArray || code === closeObject) {
      depth -= 1;
    }
  }
  return false;
}

/** A text that opens few arrays and objects is never too deep. Counting them is far faster than reading the text. */
function hasFewOpeners(text: string): boolean {
  let left = deepestNesting;
  for (const opener of '[{')
    for (let place = text.indexOf(opener); place !== -1; place = text.indexOf(opener, place + 1))
      if (--left < 0) return false;
  return true;
}

const quote = 0x22;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Index of the quote that ends a string, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
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
