import { toBase64 } from './encode.ts';

const hidden = '[redacted]';
/** Minimum length of a credential to hide. Shorter credentials would match too many strings. */
const minLength = 8;
const maxMessageLength = 300;
/** Maximum length of a string to clean. Longer strings are not messages for people, and are omitted. */
const maxReadLength = 10_000;

/** Hides credentials in errors, in log lines and in the data that hooks receive. */
export class Redactor {
  readonly #credentials: readonly string[];
  // Computed on first use, because most calls do not need them.
  #forms: readonly string[] | undefined;

  /** @param credentials - credentials as sent */
  constructor(credentials: readonly string[]) {
    this.#credentials = credentials;
  }

  /** Replaces each credential in every form: plain, in JSON, percent-encoded and in Base64. */
  redact(text: string): string {
    this.#forms ??= formsOf(this.#credentials);
    return this.#forms.reduce((rest, form) => rest.replaceAll(form, hidden), text);
  }

  /** Redacts a string from a third party, and shortens it to one line of limited length. */
  clean(text: string): string {
    if (text.length > maxReadLength) return hidden;
    const line = this.redact(text)
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
  }
}

/** The forms of the credentials, longest first, because one form can be part of another. */
function formsOf(credentials: readonly string[]): string[] {
  const forms = credentials
    .filter(({ length }) => length >= minLength)
    .flatMap((credential) => {
      const bytes = new TextEncoder().encode(credential);
      const quoted = JSON.stringify(credential).slice(1, -1);
      // Read the string back from bytes, because a lone surrogate cannot be encoded.
      const percent = encodeURIComponent(new TextDecoder().decode(bytes));
      // PHP escapes slashes.
      return [credential, quoted, quoted.replaceAll('/', String.raw`\/`), percent, toBase64(bytes).replace(/=+$/, '')];
    });
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}
