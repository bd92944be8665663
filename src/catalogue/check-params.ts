import { fieldsOf, takesOtherFields } from './fields.ts';
import type { Method } from './methods.ts';

/** Parameters of a method, by name. */
export type Params = Readonly<Record<string, unknown>>;

/**
 * Compares the names of parameters with those of a method. The service would ignore a misspelt one, or refuse the request
 * after it was sent.
 *
 * @returns one sentence for each problem: parameters that are missing or unknown
 */
export function checkParams(method: Method, params: Params): string[] {
  const fields = fieldsOf(method);
  const names = fields.map(({ name }) => name);
  const missing = fields.filter(({ name, required }) => required && params[name] === undefined);
  const others = takesOtherFields(method);
  const unknown = Object.keys(params).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = closest(name, names);
    if (meant !== undefined) return `${method.name} has no parameter ${name}. Did you mean ${meant}?`;
    if (others !== undefined) return [];
    const known = names.length > 0 ? `It takes ${names.join(', ')}.` : 'It takes none.';
    return `${method.name} has no parameter ${name}. ${known}`;
  });
  return [...missing.map(({ name }) => `${method.name} needs ${name}.`), ...unknown];
}

/** The name that is most like a word, if one is like it. */
export function closest(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(plain(word), plain(name)) }))
    .filter(({ name, distance }) => distance <= Math.floor(Math.max(word.length, name.length) / 4))
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '');
}

/** Levenshtein's distance: how many letters to insert, delete or replace. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[line - 1] === other[at - 1] ? 0 : 1;
      next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (row[at - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
