import { secretForms } from '../../shared/secret-forms.ts';

const hidden = '[redacted]';
const maxMessageLength = 300;
/** Longer strings are not messages for people, and are omitted. */
const maxReadLength = 10_000;

/** Hides credentials in errors, log lines and what hooks receive. */
export class Redactor {
  readonly #credentials: readonly string[];
  // Computed on first use, because most calls do not need them.
  #forms: readonly string[] | undefined;

  /** @param credentials - credentials as sent */
  constructor(credentials: readonly string[]) {
    this.#credentials = credentials;
  }

  /** Replaces each credential as it is, in JSON, percent-encoded and in Base64. */
  redact(text: string): string {
    this.#forms ??= secretForms(this.#credentials);
    return this.#forms.reduce((rest, form) => rest.replaceAll(form, hidden), text);
  }

  /** For strings from third parties. Also returns one short line. */
  clean(text: string): string {
    if (text.length > maxReadLength) return hidden;
    const line = this.redact(text)
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
    return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line;
  }
}
