import { type BodyTexts, readBodyTexts } from './body-texts.ts';
import { keepLetters } from './letters.ts';
import { createPartFinder } from './part-finder.ts';

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
