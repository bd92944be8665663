const hidden = '[redacted]';
/** A shorter part of a credential says too little to be told from other text. */
const shortestPart = 8;
const longestMessage = 300;
/** A longer message is none for people, and is left out. */
const longestRead = 10_000;

/** Keeps what was sent out of errors, log lines and hooks. */
export interface Redactor {
  /** Leaves a text out if it shows a credential: as it is, escaped, encoded, split or in part. */
  redact(text: string): string;
  /** For what others wrote: redacts also texts of the request body, as they are, and makes one short line of it. */
  clean(text: string): string;
}

/**
 * @param credentials - as they are sent
 * @param body - JSON that was sent
 */
export function createRedactor(credentials: string[], body = 'null'): Redactor {
  let parts: Set<string> | undefined;
  function redact(text: string): string {
    const shown = text + lettersOf(text);
    parts ??= new Set(credentials.flatMap(formsOf).flatMap(partsOf));
    // A body can be long: one pass over it, whatever the number of parts.
    for (let at = 0; at < shown.length; at += 1) {
      if (parts.has(shown.slice(at, at + shortestPart))) return hidden;
    }
    return [...parts].some((part) => part.length < shortestPart && shown.includes(part)) ? hidden : text;
  }
  return {
    redact,
    clean(text) {
      const sent: string[] = [];
      parts = undefined;
      try {
        if (text.length > longestRead) return hidden;
        JSON.parse(body, (key, value) => {
          // A client secret is a credential, too.
          if (value && typeof value === 'string') (key.includes('secret') ? credentials : sent).push(value);
        });
      } catch {
        // A body that is nested too deep to be searched.
        return hidden;
      }
      const secrets = [...credentials, ...sent.filter(({ length }) => length >= shortestPart)];
      // The longest first: one can be a part of another.
      secrets.sort((a, b) => b.length - a.length);
      const rest = secrets.reduce((plain, secret) => plain.replaceAll(secret, hidden), text);
      const line = redact(rest)
        .replace(/\p{Cc}+/gu, ' ')
        .trim();
      return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
    },
  };
}

const escapes = /(?:%|\\+(?:x|u00))([\da-f]{2})|\\+u[\da-f]{4}/gi;

/** The letters and digits of a text, also those that are escaped: what stays the same however a text is quoted. */
function lettersOf(text: string): string {
  let plain = text;
  // An escape can be escaped again, in another way.
  for (let level = 0; level < 3; level += 1) {
    plain = plain.replace(escapes, (_, hex = 0) => String.fromCharCode(Number(`0x${hex}`)));
  }
  return plain.replace(/[^a-z\d]/gi, '');
}

/** The end of a form, its beginning, and enough of what is between. */
function partsOf(form: string): string[] {
  return [form.slice(-shortestPart), ...(form.match(/.{8}/g) ?? [])];
}

/** A credential and its Base64, which depends on its place in a longer text: only characters that are certain. */
function formsOf(credential: string): string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(credential));
  const encoded = [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + bytes).slice(before && before + 1, ((before + bytes.length) * 4) / 3),
  );
  return [credential, ...[credential, ...encoded].map(lettersOf)];
}
