import type { StoredChange } from '../sandbox/store.ts';

/** Changes as one line: `[world, table, key, value]` for each. Missing parts at the end are absent. */
export function writeLine(changes: readonly StoredChange[]): string {
  const rows = changes.map(({ world, table, key, value }) =>
    table === undefined ? [world] : value === undefined ? [world, table, key] : [world, table, key, value],
  );
  return `${JSON.stringify(rows)}\n`;
}

/** Parses a line. Throws a `SyntaxError` if it is damaged. */
export function readLine(line: string): StoredChange[] {
  const rows: unknown = JSON.parse(line);
  if (!Array.isArray(rows)) throw new SyntaxError('The line is not a list of changes');
  return rows.map(toChange);
}

function toChange(row: unknown): StoredChange {
  if (!Array.isArray(row)) throw new SyntaxError('A change is not a list');
  const [world, table, key, value] = row as unknown[];
  const isKey = typeof key === 'string' || typeof key === 'number';
  if (typeof world !== 'string') throw new SyntaxError('A change has no world');
  if (table === undefined) return { world };
  if (typeof table !== 'string' || !isKey) throw new SyntaxError('A change has no table or no key');
  return value === undefined ? { world, table, key } : { world, table, key, value };
}
