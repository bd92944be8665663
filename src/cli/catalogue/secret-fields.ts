import { isRecord } from '../../shared/is-record.ts';
import { isCredentialField } from '../../shared/secret-names.ts';

/** Text that replaces a credential. */
export const hidden = '[hidden]';

/** Hides the values of fields whose names suggest a credential. */
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
  /** The depth of the value that is being omitted. */
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

/** A token of JSON with its position: a string, a bracket, a separator, or another value. */
interface Token {
  /** The first character of the token. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the tokens of JSON. A regular expression for whole strings would overflow the stack in a long string. */
function* tokensIn(text: string): Generator<Token> {
  const begins = /["[\]{}:,]|[^\s[\]{}:,"]+/g;
  for (let found = begins.exec(text); found; found = begins.exec(text)) {
    const [token] = found;
    if (token === '"') begins.lastIndex = endOfString(text, found.index);
    yield { kind: token.charAt(0), start: found.index, end: begins.lastIndex };
  }
}

/** Returns the index after a string, or the length of the text if the string has no end. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}

/** Maximum length of a credential field's name. */
const maxName = 200;

/** Returns the string that a token represents. The token may contain escapes. */
function nameIn(text: string, { start, end }: Token): string {
  if (end - start > maxName) return '';
  const token = text.slice(start, end);
  try {
    return String(JSON.parse(token));
  } catch {
    return token.slice(1, -1);
  }
}
