const hidden = '[redacted]';
/** A shorter part of a credential says too little to be told from other text. */
const shortestPart = 8;
const longestMessage = 300;
/** A longer message is no message for people, and is left out. */
const longestRead = 10_000;

/** Removes what was sent from texts that an error, a log line or a hook shows. */
export interface Redactor {
  /** Removes credentials. */
  redact(text: string): string;
  /** Removes credentials, texts of the request body and control characters, and shortens: for what others wrote. */
  clean(text: string): string;
}

/**
 * @param credentials - as they are sent
 * @param body - JSON that was sent
 */
export function createRedactor(credentials: readonly string[], body = 'null'): Redactor {
  let sent: { secrets: string[]; contents: string[] } | undefined;
  const hide = (text: string): string => redact(text, credentials);
  return {
    redact: hide,
    clean(text) {
      if (text.length > longestRead) return hidden;
      try {
        sent ??= readSent(body);
      } catch {
        // A body that is nested too deep to be searched.
        return hidden;
      }
      const rest = replace(redact(hide(text), sent.secrets), sent.contents);
      const line = rest.replace(/\p{Cc}+/gu, ' ').trim();
      return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
    },
  };
}

/** The texts of a body: a client secret is as secret as a credential. */
function readSent(body: string): { secrets: string[]; contents: string[] } {
  const secrets: string[] = [];
  const contents: string[] = [];
  JSON.parse(body, (key, value) => {
    if (typeof value !== 'string') return;
    if (key.includes('secret')) secrets.push(value);
    else if (value.length >= shortestPart) contents.push(value);
  });
  return { secrets, contents };
}

/** A text that shows a credential encoded, escaped, split or in part is left out as a whole. */
function redact(text: string, credentials: readonly string[]): string {
  const known = credentials.filter(Boolean);
  const rest = replace(text, known);
  const letters = lettersOf(rest);
  return known.flatMap(formsOf).some((form) => shares(letters, form)) ? hidden : rest;
}

/** The longest first: one can be a part of another. */
function replace(text: string, secrets: string[]): string {
  return secrets.sort((a, b) => b.length - a.length).reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
}

const escapes = /(?:%(?:25)*|\\+x|\\+u00|&#x)([\da-f]{2})|\\+u[\da-f]{4}|\\+[bfnrt]|&#?\w+;/gi;

/** The letters and digits of a text, also those that are escaped: what stays the same however a text is quoted. */
function lettersOf(text: string): string {
  return text
    .replace(escapes, (_, hex = '20') => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/[^a-z\d]/gi, '');
}

/** A credential and its Base64, which depends on its place in a longer text: only characters that are certain. */
function formsOf(credential: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(credential), (byte) => String.fromCharCode(byte)).join('');
  const encoded = [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + bytes).slice(before && before + 1, Math.floor(((before + bytes.length) * 4) / 3)),
  );
  return [credential, ...encoded].map(lettersOf);
}

/** Whether a text has the beginning of a form, its end, or enough of what is between. */
function shares(letters: string, form: string): boolean {
  let at = 0;
  do {
    const start = Math.max(0, Math.min(at, form.length - shortestPart));
    if (letters.includes(form.slice(start, start + shortestPart))) return true;
    at += shortestPart;
  } while (at < form.length);
  return false;
}
