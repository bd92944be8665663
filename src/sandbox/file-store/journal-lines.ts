import type { StoredChange } from '../store.ts';
import { applyDelta, deltaOf } from './delta.ts';

/** Changes as one line: `[world, table, key, value]` for each. Missing parts at the end are absent. */
export function writeLine(changes: readonly StoredChange[]): string {
  const rows = changes.map(({ world, table, key, value }) =>
    table === undefined ? [world] : value === undefined ? [world, table, key] : [world, table, key, value],
  );
  return `${JSON.stringify(rows)}\n`;
}

/**
 * Records of one table as one line: `[world, table, keys, first, rest]`. Each of the rest is a delta from the record before
 * it, or the record in brackets. It is shorter, and faster to parse.
 */
export function writeRecords(records: readonly StoredChange[]): string {
  const [{ world, table, value: first } = { world: '' }] = records;
  const keys = records.map(({ key }) => key);
  let before = first;
  const rest = records.slice(1).map(({ value }) => {
    const entry = deltaOf(value, before) ?? [value];
    before = value;
    return entry;
  });
  return `${JSON.stringify([world, table, keys, first, rest])}\n`;
}

/** Parses a line. Throws a `SyntaxError` if it is damaged. */
export function readLine(line: string): StoredChange[] {
  const parts: unknown = JSON.parse(line);
  if (!Array.isArray(parts)) throw new SyntaxError('The line is not a list of changes');
  return typeof parts[0] === 'string' ? toRecords(parts) : parts.map(toChange);
}

function toRecords([world, table, keys, first, rest]: unknown[]): StoredChange[] {
  if (typeof world !== 'string' || typeof table !== 'string') throw new SyntaxError('The records have no table');
  // Earlier versions wrote all records whole, as the fourth part.
  const values = rest === undefined ? first : Array.isArray(rest) && [first, ...fromDeltas(first, rest)];
  if (!Array.isArray(keys) || !Array.isArray(values) || keys.length !== values.length)
    throw new SyntaxError('Not every record has a key');
  return keys.map((key: unknown, place) => {
    if (!isKey(key)) throw new SyntaxError('A record has no key');
    return { world, table, key, value: values[place] };
  });
}

function fromDeltas(first: unknown, rest: readonly unknown[]): unknown[] {
  let before = first;
  return rest.map((entry) => {
    before = Array.isArray(entry) ? entry[0] : applyDelta(entry, before);
    return before;
  });
}

function toChange(row: unknown): StoredChange {
  if (!Array.isArray(row)) throw new SyntaxError('A change is not a list');
  const [world, table, key, value] = row as unknown[];
  if (typeof world !== 'string') throw new SyntaxError('A change has no world');
  if (table === undefined) return { world };
  if (typeof table !== 'string' || !isKey(key)) throw new SyntaxError('A change has no table or no key');
  return value === undefined ? { world, table, key } : { world, table, key, value };
}

function isKey(key: unknown): key is string | number {
  return typeof key === 'string' || typeof key === 'number';
}
