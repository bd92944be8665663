import { isRecord } from '../../core/envelope.ts';

const secretNames =
  /^(?:access_?token|refresh_?token|id_?token|client_?secret|secret|password|api_?key|authorization)$/i;
const hidden = '[hidden]';
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

/** Hides the values of fields that hold credentials: an access token has no place in an agent's memory. */
export function hideSecretFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecretFields);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretNames.test(name) ? hidden : hideSecretFields(inner)]),
  );
}
