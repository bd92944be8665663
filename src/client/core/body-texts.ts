const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** Strings of a request body that a reply could repeat. */
export interface BodyTexts {
  /** Values of fields such as `client_secret`. */
  secrets: Set<string>;
  /** Other strings of at least `shortest` characters. */
  texts: string[];
}

/**
 * Collects the string values of a body in one pass, without recursion. Field names are not included.
 *
 * @param json - JSON without whitespace between tokens, as `JSON.stringify` writes it
 * @throws `SyntaxError` if a string is not valid JSON
 */
export function readBodyTexts(json: string, shortest: number): BodyTexts {
  const secrets = new Set<string>();
  const texts: string[] = [];
  let isSecret = false;
  for (let start = json.indexOf('"'), end = 0; start >= 0; start = json.indexOf('"', end + 1)) {
    end = endOfText(json, start);
    if (json.charCodeAt(end + 1) === colon) {
      isSecret = json.slice(start, end).includes('secret');
      continue;
    }
    if (isSecret && json.charCodeAt(start - 1) === colon) secrets.add(unquote(json.slice(start, end + 1)));
    else if (end - start > shortest) texts.push(unquote(json.slice(start, end + 1)));
  }
  secrets.delete('');
  return { secrets, texts: texts.filter(({ length }) => length >= shortest) };
}

/** Index of the quote that ends a string. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === quote) return at;
    at += code === backslash ? 2 : 1;
  }
  return at;
}

function unquote(text: string): string {
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
}
