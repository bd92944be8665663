import { isRecord } from '../../shared/is-record.ts';
import { isCredentialField } from '../../shared/secret-names.ts';

/** Replaces a credential. */
export const hidden = '[hidden]';

/** Hides the values of fields that hold credentials, by their names. */
export function hideSecretFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecretFields);
  if (!isRecord(value) || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isCredentialField(name) ? hidden : hideSecretFields(inner)]),
  );
}

/** Hides the values of credential fields in JSON. All other characters stay the same. */
export function hideSecretsInJson(text: string): string {
  let shown = '';
  let end = 0;
  let depth = 0;
  let previous: Token | undefined;
  let hidesNext = false;
  /** The depth of the value that is being left out. */
  let hiding: number | undefined;
  for (const token of tokensIn(text)) {
    if (hidesNext) {
      shown += `${text.slice(end, token.start)}${JSON.stringify(hidden)}`;
      hiding = depth;
      hidesNext = false;
    }
    if (token.kind === '[' || token.kind === '{') depth += 1;
    if (token.kind === ']' || token.kind === '}') depth -= 1;
    if (hiding === undefined)
      hidesNext = token.kind === ':' && previous?.kind === '"' && isCredentialField(nameIn(text, previous));
    else if (depth === hiding) {
      hiding = undefined;
      end = token.end;
    }
    previous = token;
  }
  return hiding === undefined ? shown + text.slice(end) : shown;
}

/** A string, a bracket, a separator, or another value of JSON, with its position. */
interface Token {
  /** The first character. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the tokens of JSON. A pattern for whole strings would overflow the stack in a long one. */
function* tokensIn(text: string): Generator<Token> {
  const begins = /["[\]{}:,]|[^\s[\]{}:,"]+/g;
  for (let found = begins.exec(text); found; found = begins.exec(text)) {
    const [token] = found;
    if (token === '"') begins.lastIndex = endOfString(text, found.index);
    yield { kind: token.charAt(0), start: found.index, end: begins.lastIndex };
  }
}

/** Returns the place after a string, or the end of the text if the string does not end. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}

/** Longer names are not those of a credential. */
const maxName = 200;

/** Reads the string of a token, which may have escapes. */
function nameIn(text: string, { start, end }: Token): string {
  if (end - start > maxName) return '';
  const token = text.slice(start, end);
  try {
    return String(JSON.parse(token));
  } catch {
    return token.slice(1, -1);
  }
}
