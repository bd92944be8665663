import { hidden } from '../catalogue/secret-fields.ts';

/** Shorter ones are in too many other words. */
const shortest = 6;

/** Hides the credentials that it knows, wherever they occur in a text, also as JSON, in a URL or as Base64. */
export class Mask {
  readonly #forms = new Set<string>();

  add(...secrets: readonly string[]): void {
    for (const secret of secrets.filter(({ length }) => length >= shortest)) {
      this.#forms.add(secret);
      this.#forms.add(encodeURIComponent(secret));
      this.#forms.add(JSON.stringify(secret).slice(1, -1));
      this.#forms.add(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
    }
  }

  apply(text: string): string {
    // The longest first: one can contain another.
    const forms = [...this.#forms].sort((one, other) => other.length - one.length);
    return forms.reduce((masked, form) => masked.replaceAll(form, hidden), text);
  }
}
