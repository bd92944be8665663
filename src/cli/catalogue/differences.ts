import { isRecord } from '../../shared/is-record.ts';
import type { Params } from './check-names.ts';
import type { Method } from './methods.ts';
import { plainName, shortenJson } from './shorten-json.ts';

/** Maximum number of different values that are counted. */
const maxCounted = 10_000;
const maxDomains = 5;

/** Counts the different values of each parameter in a set of calls, and the domains in people's email addresses. */
export class Differences {
  readonly #people: readonly string[];
  readonly #values = new Map<string, Set<string>>();
  readonly #domains = new Map<string, number>();
  #calls = 0;

  constructor({ people }: Method) {
    this.#people = people?.fields ?? [];
  }

  add(params: Params): void {
    this.#calls += 1;
    for (const [name, value] of Object.entries(params)) {
      const known = this.#values.get(name) ?? new Set();
      if (known.size < maxCounted) known.add(JSON.stringify(value) ?? '');
      this.#values.set(name, known);
    }
    for (const name of this.#people) this.#addDomains(params[name]);
  }

  /** Returns one line for each difference. Other people may have written the names and domains, so these are shown as JSON. */
  lines(): string[] {
    if (this.#calls < 2) return [];
    const values = [...this.#values]
      .filter(([, { size }]) => size > 1)
      .map(
        ([name, { size }]) =>
          `- ${plainName(name)}: ${size === maxCounted ? 'at least ' : ''}${count(size)} different values`,
      );
    return values.length === 0 && this.#domains.size === 0 ? [] : ['In all calls:', ...values, ...this.#domainLines()];
  }

  #addDomains(value: unknown): void {
    for (const item of Array.isArray(value) ? value : [value]) {
      const email = isRecord(item) ? item.email : item;
      const [, domain] = typeof email === 'string' ? (/@([^@\s]{1,253})$/.exec(email) ?? []) : [];
      if (domain === undefined || (this.#domains.size >= maxCounted && !this.#domains.has(domain))) continue;
      this.#domains.set(domain, (this.#domains.get(domain) ?? 0) + 1);
    }
  }

  #domainLines(): string[] {
    if (this.#domains.size === 0) return [];
    const sorted = [...this.#domains].sort(([, one], [, other]) => other - one);
    const shown = sorted
      .slice(0, maxDomains)
      .map(([domain, times]) => `${shortenJson(domain, 80).json} ${count(times)}`);
    const more = sorted.length > maxDomains ? `, and ${count(sorted.length - maxDomains)} more` : '';
    return [`- email domains (${count(sorted.length)}): ${shown.join(', ')}${more}`];
  }
}

function count(number: number): string {
  return number.toLocaleString('en-GB');
}
