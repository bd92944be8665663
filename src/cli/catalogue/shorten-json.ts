import { isRecord } from '../../shared/is-record.ts';

/** Limits, from generous to tight. */
const steps = [
  { text: 1_000, items: 40, names: 40, depth: 6 },
  { text: 300, items: 10, names: 20, depth: 5 },
  { text: 100, items: 5, names: 12, depth: 4 },
  { text: 40, items: 3, names: 8, depth: 3 },
  { text: 16, items: 2, names: 4, depth: 2 },
] as const;

/** Limits on a value: characters in a string, items in a list, fields in a record, and levels of nesting. */
export interface Limits {
  readonly text: number;
  readonly items: number;
  readonly names: number;
  readonly depth: number;
}

/**
 * Writes a value as JSON on one line, for a person who decides whether to make a call. Long strings and lists keep their
 * beginning and end. A run of blank characters is replaced with its length, so that no text is hidden after the run.
 *
 * @param most - maximum number of characters
 */
export function shortenJson(value: unknown, most: number): { json: string; isShort: boolean } {
  const whole = toJson(value, { text: most, items: Infinity, names: Infinity, depth: 32 });
  if (whole.length <= most) return { json: whole, isShort: false };
  for (const limits of steps) {
    const json = toJson(value, limits);
    if (json.length <= most) return { json, isShort: true };
  }
  return { json: bothEnds(toJson(value, steps[4]), most), isShort: true };
}

function toJson(value: unknown, limits: Limits): string {
  return JSON.stringify(shorten(value, limits, (text, most) => bothEnds(withoutBlanks(text), most))) ?? 'null';
}

/**
 * Shortens long strings, long lists, records with many fields and deeply nested values. Writes the number of omitted parts in
 * their place.
 */
export function shorten(
  value: unknown,
  limits: Limits,
  cutText: (text: string, most: number) => string,
  depth = limits.depth,
): unknown {
  if (typeof value === 'string') return cutText(value, limits.text);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) {
    if (depth === 0) return `${value.length} items`;
    const inner = (item: unknown): unknown => shorten(item, limits, cutText, depth - 1);
    if (value.length <= limits.items) return value.map(inner);
    const first = value.slice(0, limits.items - 1).map(inner);
    return [...first, `… ${value.length - limits.items} more …`, inner(value.at(-1))];
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  if (depth === 0) return `${entries.length} fields`;
  const kept = entries
    .slice(0, limits.names)
    .map(([name, inner]) => [cutText(name, limits.text), shorten(inner, limits, cutText, depth - 1)]);
  if (kept.length < entries.length) kept.push(['…', `${entries.length - kept.length} more fields`]);
  return Object.fromEntries(kept);
}

/** Shortens runs of blank characters, because people would not read text after a blank screen. */
function withoutBlanks(text: string): string {
  return text.replace(
    /[\s\u2800\p{Default_Ignorable_Code_Point}]{5,}/gu,
    (blanks) => ` [${blanks.length.toLocaleString('en-GB')} blank characters] `,
  );
}

/** The beginning and the end of a long string. */
function bothEnds(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.max(4, Math.floor((most - 24) / 2));
  const left = (text.length - 2 * half).toLocaleString('en-GB');
  return `${text.slice(0, half)} [… ${left} characters …] ${text.slice(-half)}`;
}

/** Returns a name in a form that is safe to show. A name with special characters becomes JSON, because others may have chosen it. */
export function plainName(name: string): string {
  return /^[\w ]+$/.test(name) ? name : shortenJson(name, 80).json;
}
