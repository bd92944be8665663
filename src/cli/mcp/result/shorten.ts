import { escapeInvisible } from '../../../shared/invisible.ts';
import { isRecord } from '../../../shared/is-record.ts';

/** Limits from generous to tight. The last fits whatever a value contains. */
const steps = [
  { text: 2_000, items: 100, names: 200, depth: 12 },
  { text: 500, items: 30, names: 100, depth: 8 },
  { text: 150, items: 10, names: 50, depth: 6 },
  { text: 60, items: 5, names: 30, depth: 4 },
  { text: 20, items: 3, names: 12, depth: 3 },
  { text: 12, items: 2, names: 8, depth: 2 },
] as const;

type Limits = (typeof steps)[number];

/**
 * Shortens a value until its JSON fits: long texts, long lists, records with many fields, deep ones. What is left out is
 * counted in its place.
 *
 * @param fits - whether a JSON text is short enough
 */
export function shorten(value: unknown, fits: (json: string) => boolean): { json: string; isShort: boolean } {
  const whole = toJson(value);
  if (fits(whole)) return { json: whole, isShort: false };
  for (const limits of steps) {
    const json = toJson(cut(value, limits, limits.depth));
    if (fits(json)) return { json, isShort: true };
  }
  return { json: '"[too large: select fields]"', isShort: true };
}

function cut(value: unknown, limits: Limits, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, limits.text);
  if (Array.isArray(value)) {
    if (depth === 0) return `[${value.length} items]`;
    const kept = value.slice(0, limits.items).map((item) => cut(item, limits, depth - 1));
    return kept.length < value.length ? [...kept, `[${value.length - kept.length} more items]`] : kept;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  if (depth === 0) return `[${entries.length} fields]`;
  const kept = entries
    .slice(0, limits.names)
    .map(([name, inner]) => [cutText(name, limits.text), cut(inner, limits, depth - 1)]);
  if (kept.length < entries.length) kept.push(['[more fields]', entries.length - kept.length]);
  return Object.fromEntries(kept);
}

export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… [${text.length - most} more characters]` : text;
}

/** JSON of a value, without hidden characters; `undefined` becomes `null`. */
export function toJson(value: unknown): string {
  return escapeInvisible(JSON.stringify(value) ?? 'null', '\n');
}
