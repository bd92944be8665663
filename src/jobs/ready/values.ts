/** Why one row of a file cannot be sent. The job reports it with the line, and goes on. */
export class RowProblem extends Error {
  /** Always `RowProblem`. */
  override readonly name = 'RowProblem';
}

/** Text of a cell: `undefined` if it is empty. NDJSON may also have a number. */
export function textOf(value: unknown, column: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw new RowProblem(`${column} must be a text`);
  return String(value).trim() || undefined;
}

/** A whole number above 0: `undefined` if the cell is empty. */
export function idOf(value: unknown, column: string): number | undefined {
  const text = textOf(value, column);
  if (text === undefined) return undefined;
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1)
    throw new RowProblem(`${column} must be a whole number above 0, not "${text}"`);
  return id;
}

/** Separates several values in one cell of a CSV file. */
export const listSeparator = ';';

/** Several texts, each once: an array (NDJSON), or one cell with semicolons between them. */
export function textsOf(value: unknown, column: string): string[] {
  const entries = typeof value === 'string' ? value.split(listSeparator) : Array.isArray(value) ? value : [value];
  const texts = entries.flatMap((entry) => textOf(entry, column) ?? []);
  return [...new Set(texts)];
}

/** An email address, as far as it can be checked without sending to it. */
export function addressOf(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new RowProblem(`"${text}" is not an email address`);
  return text;
}
