import type { Credentials } from '../../shared/credentials.ts';
import { isRecord } from '../../shared/is-record.ts';
import { hidden } from './secret-fields.ts';

/** Minimum length of a secret. Shorter strings occur in too many other words. */
const minSecretLength = 6;

/** Hides known credentials in strings, even if they are encoded as JSON, in a URL, as hex, or inside Base64. */
export class Mask {
  readonly #forms = new Set<string>();

  add(...secrets: readonly string[]): void {
    for (const secret of secrets.filter(({ length }) => length >= minSecretLength)) {
      this.#forms.add(secret);
      this.#forms.add(encodeURIComponent(secret));
      this.#forms.add(JSON.stringify(secret).slice(1, -1));
      // PHP writes a slash in JSON like this.
      this.#forms.add(secret.replaceAll('/', '\\/'));
      this.#forms.add(Buffer.from(secret).toString('hex'));
      this.#forms.add(Buffer.from(secret).toString('hex').toUpperCase());
      for (const form of base64Forms(secret)) this.#forms.add(form);
    }
  }

  addCredentials({ auth }: Pick<Credentials, 'auth'>): void {
    this.add('apiKey' in auth ? auth.apiKey : auth.clientSecret);
  }

  /** Masks the strings in a value. Mask a string before cutting it, because a part of a credential is not recognized. */
  applyTo(value: unknown): unknown {
    if (typeof value === 'string') return this.apply(value);
    if (Array.isArray(value)) return value.map((item) => this.applyTo(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.apply(name), this.applyTo(inner)]));
  }

  apply(text: string): string {
    // The longest forms come first, because one form can contain another.
    const forms = [...this.#forms].sort((one, other) => other.length - one.length);
    return forms.reduce((masked, form) => masked.replaceAll(form, hidden), text);
  }
}

/** Returns the forms of a secret in the Base64 encoding of a longer string. The forms depend on the position of the secret. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters also depend on the text around the secret. At the end of a string, the last character is
    // also hidden.
    const whole = encoded.slice(before === 0 ? 0 : before + 1);
    const isEven = (before + Buffer.byteLength(secret)) % 3 === 0;
    const forms = isEven ? [whole] : [whole, whole.slice(0, -1)];
    return forms
      .filter(({ length }) => length >= minSecretLength)
      .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
  });
}
