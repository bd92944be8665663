import { type BodyTexts, readBodyTexts } from './body-texts.ts';
import { keepLetters } from './letters.ts';
import { createPartFinder } from './part-finder.ts';

const hidden = '[redacted]';
/** A shorter part of a credential says too little to be told from other text. */
const partLength = 8;
const longestMessage = 300;
/** A longer text is not a message for people, and is left out. */
const longestRead = 10_000;
/** Characters of all credentials together. Beyond it, every text is left out, because a search would take too long. */
const longestSecrets = 200_000;
/** Characters of all texts of the body that a message seems to repeat. Beyond it, the message is left out. */
const longestRepeated = 100_000;

/** Keeps what was sent out of errors, log lines and hooks. It takes time in proportion to the text. */
export class Redactor {
  readonly #credentials: readonly string[];
  readonly #body: string;
  // Each is made when it is first needed: most calls need none, and a body can be long.
  #texts: BodyTexts | undefined;
  #secrets: readonly string[] | undefined;
  #showsSecret: ((text: string) => boolean) | undefined;

  /**
   * @param credentials - as they are sent
   * @param body - JSON that was sent
   */
  constructor(credentials: readonly string[], body = 'null') {
    this.#credentials = credentials;
    this.#body = body;
  }

  /** Leaves a text out if it shows a credential: as it is, escaped, encoded, split or in part. */
  redact(text: string): string {
    this.#showsSecret ??= createSearch(this.#readSecrets());
    return this.#showsSecret(text) ? hidden : text;
  }

  /** For what others wrote: redacts also texts of the request body, as they are, and makes one short line of it. */
  clean(text: string): string {
    if (text.length > longestRead) return hidden;
    const secrets = this.#readSecrets();
    const repeated = findRepeated(text, this.#readBody().texts);
    if (lengthOf(repeated) > longestRepeated || lengthOf(secrets) > longestSecrets) return hidden;
    // The longest first: one can be a part of another.
    const replaced = [...secrets, ...repeated].sort((a, b) => b.length - a.length);
    const rest = replaced.reduce((plain, secret) => plain.replaceAll(secret, hidden), text);
    const line = this.redact(rest)
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
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

/** Returns a function that finds out whether a text shows one of the secrets, in any form. */
function createSearch(secrets: readonly string[]): (text: string) => boolean {
  if (lengthOf(secrets) > longestSecrets) return () => true;
  const hasPart = createPartFinder(secrets.flatMap(formsOf).flatMap(partsOf).map(withoutHalves));
  return (text) => {
    const bytes = new TextEncoder().encode(text);
    return hasPart(bytes) || hasPart(keepLetters(bytes));
  };
}

/**
 * The texts that a message may repeat: each part of them is in the message. A search for every text would take the product
 * of their number and the length of the message.
 */
function findRepeated(message: string, texts: readonly string[]): string[] {
  const windows = new Set<string>();
  for (let at = 0; at + partLength <= message.length; at += 1) windows.add(message.slice(at, at + partLength));
  if (windows.size === 0) return [];
  const isRepeated = (text: string): boolean =>
    text.length <= message.length &&
    // Most texts fail here, without a list of their parts.
    windows.has(text.slice(0, partLength)) &&
    partsOf(text).every((part) => windows.has(part));
  return [...new Set(texts.filter(isRepeated))];
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** The end of a form, its beginning, and enough of what is between. */
function partsOf(form: string): string[] {
  const parts = [form.slice(-partLength)];
  for (let at = 0; at + partLength <= form.length; at += partLength) parts.push(form.slice(at, at + partLength));
  return parts;
}

/** Drops what is left of a character that a cut has split: UTF-8 has no halves. */
function withoutHalves(part: string): string {
  return part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/** A credential and its Base64, which depends on its place in a longer text: only characters that are certain. */
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

/** A text with a character for each byte. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
