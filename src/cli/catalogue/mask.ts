import { isRecord } from '../../shared/is-record.ts';
import { secretForms } from '../../shared/secret-forms.ts';
import { hidden } from './secret-fields.ts';

/** Hides known credentials in strings, also as JSON, in a URL or in Base64. */
export class Mask {
  readonly #secrets = new Set<string>();
  #forms: readonly string[] = [];

  add(...secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
    this.#forms = secretForms(this.#secrets);
  }

  /** Masks the strings of a value. Call it before a string is cut, because a part of a credential is not recognized. */
  applyTo(value: unknown): unknown {
    if (typeof value === 'string') return this.apply(value);
    if (Array.isArray(value)) return value.map((item) => this.applyTo(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.apply(name), this.applyTo(inner)]));
  }

  apply(text: string): string {
    return this.#forms.reduce((masked, form) => masked.replaceAll(form, hidden), text);
  }
}
