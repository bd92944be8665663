import { leavesOf } from '../leaves.ts';
import type { Impact, Verdict } from '../verdict.ts';

/** Data by table and key. */
export type Contents = Record<string, Record<string, unknown>>;

/** Result of opening data of an earlier release. */
export type Opened = { contents: Contents } | { refusal: string };

/** User data, such as a journal. */
export interface Kept {
  /** The release that wrote the data. */
  version: string;
  /** `a journal`. */
  what: string;
  /** The written data. */
  written: Contents;
  /** The next release's result of opening it. */
  opened: Opened;
}

/** The changes that affect users with data of an earlier release. */
export function compareData(kept: readonly Kept[]): Verdict[] {
  return kept.flatMap((one) => compareOne(one));
}

function compareOne({ version, what, written, opened }: Kept): Verdict[] {
  const place = `${what} of ${version}`;
  const verdict = (impact: Impact, where: string, sentence: string): Verdict => ({
    surface: 'data',
    impact,
    place: [place, where].filter(Boolean).join(': '),
    sentence: capital(sentence),
  });
  if ('refusal' in opened) {
    const [line = ''] = opened.refusal.trim().split('\n');
    const subject = `${what} that ${version} wrote`;
    return [
      isAdvice(opened.refusal)
        ? verdict('break', '', `${subject} is not opened: ${line}`)
        : verdict('break', '', `${subject} makes the program fail without advice: ${line.replace(/\.$/, '')}.`),
    ];
  }
  const found: Verdict[] = [];
  for (const [table, records] of Object.entries(written)) {
    const now = opened.contents[table] ?? {};
    const keys = Object.keys(records);
    const gone = keys.filter((key) => !(key in now));
    if (gone.length > 0)
      found.push(
        verdict(
          'break',
          table,
          `${gone.length} of ${keys.length} records of ${table} are silently missing from ${place}.`,
        ),
      );
    const other = keys.filter((key) => key in now && isText(records[key]) && records[key] !== now[key]);
    if (other[0] !== undefined)
      found.push(
        verdict(
          'break',
          `${table} values`,
          `${other.length} of ${keys.length} ${table} of ${place} end differently, such as ${other[0]}: ${now[other[0]]} (expected: ${records[other[0]]}).`,
        ),
      );
    const changed = keys.filter(
      (key) => key in now && !isText(records[key]) && lostValues(records[key], now[key]).length > 0,
    );
    const [first] = changed;
    if (first !== undefined) {
      const [lost] = lostValues(records[first], now[first]);
      found.push(
        verdict(
          'break',
          `${table} values`,
          `${changed.length} of ${keys.length} records of ${table} have silently lost values in ${place}, such as ${lost} of ${first}.`,
        ),
      );
    }
    const moved = keys.filter(
      (key) => key in now && !isText(records[key]) && !changed.includes(key) && isMoved(records[key], now[key]),
    );
    if (moved.length > 0)
      found.push(
        verdict(
          'fix',
          `${table} form`,
          `${place} is migrated: records of ${table} have their values under other names.`,
        ),
      );
  }
  return found;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether a refusal is one line that states the problem and what to do about it. */
function isAdvice(text: string): boolean {
  return /^[^\n]+[.?!] [A-Z][^\n]*\.$/.test(text.trim());
}

/** Values that a record has lost. A migration may rename fields but must keep their values. */
function lostValues(before: unknown, after: unknown): string[] {
  const left = leavesOf(after).map(([, value]) => value);
  return valuesOf(before).flatMap(([path, value]) => {
    const at = left.indexOf(value);
    if (at === -1) return [`${path} (${value})`];
    left.splice(at, 1);
    return [];
  });
}

function isMoved(before: unknown, after: unknown): boolean {
  const present = new Set(leavesOf(after).map((leaf) => leaf.join('=')));
  return valuesOf(before).some((leaf) => !present.has(leaf.join('=')));
}

/** `null` holds no value to lose. */
function valuesOf(value: unknown): [path: string, value: string][] {
  return leavesOf(value).filter(([, leaf]) => leaf !== 'null');
}
