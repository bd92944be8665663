const hidden = '[redacted]';
/** Length of the parts of a credential to search for. Shorter parts would match unrelated text. */
const partLength = 8;
const maxMessageLength = 300;
/** Longer texts are not messages for people, and are omitted. */
const maxReadLength = 10_000;
/** Maximum total length of all credentials. Beyond it, every text is omitted, because a search would take too long. */
const maxSecretsLength = 200_000;
/** Maximum total length of the strings of the body that a message seems to repeat. Beyond it, the message is omitted. */
const maxRepeatedLength = 100_000;

/** Keeps credentials and request bodies out of errors, log lines and hooks. Runs in linear time. */
export class Redactor {
  readonly #credentials: readonly string[];
  readonly #body: string;
  // Computed on first use, because most calls do not need them, and a body can be long.
  #texts: BodyTexts | undefined;
  #secrets: readonly string[] | undefined;
  #showsSecret: ((text: string) => boolean) | undefined;

  /**
   * @param credentials - credentials as sent
   * @param body - JSON that was sent
   */
  constructor(credentials: readonly string[], body = 'null') {
    this.#credentials = credentials;
    this.#body = body;
  }

  /** Omits a text if it contains a credential, whether plain, escaped, encoded, split or in part. */
  redact(text: string): string {
    this.#showsSecret ??= createSearch(this.#readSecrets());
    return this.#showsSecret(text) ? hidden : text;
  }

  /** For text from third parties. Also redacts strings of the request body, and returns one short line. */
  clean(text: string): string {
    if (text.length > maxReadLength) return hidden;
    const secrets = this.#readSecrets();
    const repeated = findRepeated(text, this.#readBody().texts);
    if (lengthOf(repeated) > maxRepeatedLength || lengthOf(secrets) > maxSecretsLength) return hidden;
    // Replace the longest first, because one can be part of another.
    const replaced = [...secrets, ...repeated].sort((a, b) => b.length - a.length);
    const rest = replaced.reduce((plain, secret) => plain.replaceAll(secret, hidden), text);
    const line = this.redact(rest)
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
  }

  #readBody(): BodyTexts {
    this.#texts ??= readBodyTexts(this.#body, partLength);
    return this.#texts;
  }

  #readSecrets(): readonly string[] {
    const inBody = (): Iterable<string> => (this.#body.includes('secret') ? this.#readBody().secrets : []);
    this.#secrets ??= [...new Set([...this.#credentials, ...inBody()])];
    return this.#secrets;
  }
}

/** Returns a function that tests whether a text contains one of the secrets, in any form. */
function createSearch(secrets: readonly string[]): (text: string) => boolean {
  if (lengthOf(secrets) > maxSecretsLength) return () => true;
  const hasPart = createPartFinder(secrets.flatMap(formsOf).flatMap(partsOf).map(withoutHalves));
  return (text) => {
    const bytes = new TextEncoder().encode(text);
    return hasPart(bytes) || hasPart(keepLetters(bytes));
  };
}

/**
 * Returns the texts that a message may repeat, those whose every part occurs in the message. Searching for every text separately
 * would take quadratic time.
 */
function findRepeated(message: string, texts: readonly string[]): string[] {
  const windows = new Set<string>();
  for (let at = 0; at + partLength <= message.length; at += 1) windows.add(message.slice(at, at + partLength));
  if (windows.size === 0) return [];
  const isRepeated = (text: string): boolean =>
    text.length <= message.length &&
    // Most texts fail here, before their parts are computed.
    windows.has(text.slice(0, partLength)) &&
    partsOf(text).every((part) => windows.has(part));
  return [...new Set(texts.filter(isRepeated))];
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Parts of a form at its end, its beginning, and in between. */
function partsOf(form: string): string[] {
  const parts = [form.slice(-partLength)];
  for (let at = 0; at + partLength <= form.length; at += partLength) parts.push(form.slice(at, at + partLength));
  return parts;
}

/** Removes half of a surrogate pair at a cut, which UTF-8 cannot represent. */
function withoutHalves(part: string): string {
  return part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/**
 * A credential and its Base64 forms. Base64 depends on the position in a longer text, so each form has only the characters that
 * are certain.
 */
function formsOf(credential: string): string[] {
  const bytes = textOf(new TextEncoder().encode(credential));
  const encoded = [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + bytes).slice(before && before + 1, ((before + bytes.length) * 4) / 3),
  );
  return [credential, ...[credential, ...encoded].map(lettersOf)];
}

function lettersOf(text: string): string {
  return textOf(keepLetters(new TextEncoder().encode(text)));
}

/** Converts bytes to a string with one character per byte. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** Strings of a request body that a response could repeat. */
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

const percent = 0x25;
const zero = 0x30;
const letterU = 0x75;
const letterX = 0x78;

/** Maximum number of nested levels of escapes. */
const maxLevels = 3;

/**
 * Keeps only the ASCII letters and digits of a UTF-8 text, including escaped ones, because they stay the same however the text is
 * quoted. Runs in linear time for any text.
 *
 * @param text - modified in place
 */
export function keepLetters(text: Uint8Array): Uint8Array {
  let decoded = text;
  for (let level = 0; level < maxLevels; level += 1) {
    const longer = decoded;
    decoded = decodeEscapes(longer);
    if (decoded.length === longer.length) break;
  }
  let length = 0;
  for (let at = 0; at < decoded.length; at += 1) {
    const code = decoded[at] ?? 0;
    if (isLetterOrDigit(code)) {
      text[length] = code;
      length += 1;
    }
  }
  return text.subarray(0, length);
}

/** Decodes one level of `%41`, `\x41` and `\u0041` in place. */
function decodeEscapes(text: Uint8Array): Uint8Array {
  if (!text.includes(percent) && !text.includes(backslash)) return text;
  let length = 0;
  let at = 0;
  while (at < text.length) {
    let code = text[at] ?? 0;
    at += 1;
    if (code === percent) {
      const value = hexValue(text, at, 2);
      if (value >= 0) {
        code = value;
        at += 2;
      }
    } else if (code === backslash) {
      // Treat a run of backslashes as one, because nested quotes have several. Reading it once keeps the time linear.
      while (text[at] === backslash) at += 1;
      const digits = digitsAfter(text[at]);
      const value = digits > 0 ? hexValue(text, at + 1, digits) : -1;
      if (value >= 0) {
        // Only ASCII letters are relevant.
        code = value < 256 ? value : 0;
        at += 1 + digits;
      }
    }
    text[length] = code;
    length += 1;
  }
  return text.subarray(0, length);
}

/** Number of digits in an escape that begins with this letter, or 0 if it is not an escape. */
function digitsAfter(letter = 0): number {
  const lower = lowerCase(letter);
  if (lower === letterX) return 2;
  return lower === letterU ? 4 : 0;
}

/** Value of the hexadecimal digits, or -1 if one of them is another character. */
function hexValue(text: Uint8Array, start: number, digits: number): number {
  let value = 0;
  for (let at = start; at < start + digits; at += 1) {
    const digit = hexDigit(text[at]);
    if (digit < 0) return -1;
    value = 16 * value + digit;
  }
  return value;
}

function hexDigit(code = 0): number {
  if (code >= zero && code <= zero + 9) return code - zero;
  const value = lowerCase(code) - 0x61 + 10;
  return value >= 10 && value <= 15 ? value : -1;
}

function isLetterOrDigit(code: number): boolean {
  const lower = lowerCase(code);
  return (code >= zero && code <= zero + 9) || (lower >= 0x61 && lower <= 0x7a);
}

/** Code of the lower-case letter. Does not turn other characters into letters. */
function lowerCase(code: number): number {
  return code | 0x20;
}

/** Number of bytes covered by a hash. */
const windowLength = 8;

/** Parts, indexed by the hash of their last 8 bytes. */
interface PartIndex {
  /** 1 for each slot used in `bySlot`. At most positions of a text, only this is read. */
  isTaken: Uint8Array;
  bySlot: Map<number, Uint8Array[]>;
  /** Number of bits by which a hash is longer than a slot number. */
  shift: number;
}

/**
 * Returns a function that tests whether a UTF-8 text contains any of the parts. It reads the text once for any number of parts
 * (Rabin-Karp).
 *
 * Works on bytes, because reading the characters of strings takes up to four times as long in V8.
 *
 * @param parts - each part of fewer than 8 bytes needs an additional pass
 */
export function createPartFinder(parts: Iterable<string>): (text: Uint8Array) => boolean {
  const encoder = new TextEncoder();
  const long: Uint8Array[] = [];
  const short: string[] = [];
  for (const part of new Set(parts)) {
    const bytes = encoder.encode(part);
    if (bytes.length < windowLength) short.push(part);
    else long.push(bytes);
  }
  const index = indexParts(long);
  return (text) => containsLong(text, index) || (short.length > 0 && containsShort(text, short));
}

function indexParts(parts: readonly Uint8Array[]): PartIndex {
  // With 32 slots per part, about one position in 32 needs a comparison.
  const bits = Math.min(20, Math.max(12, Math.ceil(Math.log2(parts.length + 1)) + 5));
  const index: PartIndex = { isTaken: new Uint8Array(2 ** bits), bySlot: new Map(), shift: 32 - bits };
  for (const part of parts) {
    const slot = part.subarray(-windowLength).reduce(nextHash, 0) >>> index.shift;
    index.isTaken[slot] = 1;
    const others = index.bySlot.get(slot);
    if (others) others.push(part);
    else index.bySlot.set(slot, [part]);
  }
  return index;
}

function containsLong(text: Uint8Array, { isTaken, bySlot, shift }: PartIndex): boolean {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = nextHash(hash, text[at] ?? 0);
    const slot = hash >>> shift;
    if (isTaken[slot] === 1 && endsWithAny(text, at + 1, bySlot.get(slot))) return true;
  }
  return false;
}

/** Updates the hash of the last 8 bytes. Each step shifts it by 4 of its 32 bits, which removes older bytes. */
function nextHash(hash: number, byte: number): number {
  return ((hash << 4) + Math.imul(byte, 0x9e3779b1)) | 0;
}

/** Whether the text before `end` ends with one of the parts. */
function endsWithAny(text: Uint8Array, end: number, parts: readonly Uint8Array[] = []): boolean {
  return parts.some((part) => part.every((byte, at) => text[end - part.length + at] === byte));
}

function containsShort(text: Uint8Array, parts: readonly string[]): boolean {
  const plain = new TextDecoder().decode(text);
  return parts.some((part) => plain.includes(part));
}
