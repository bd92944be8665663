/** A row of a file cannot be sent. The job reports the row with its line number and continues. */
export class RowProblem extends Error {
  /** Always `RowProblem`. */
  override readonly name = 'RowProblem';
  /** Kind of the problem, without values. A plan counts rows by kind. */
  readonly kind: string | undefined;

  constructor(message: string, kind?: string) {
    super(message);
    this.kind = kind;
  }
}

/** Identifies a person by an address or a phone number. All spellings of the address or number have the same identity. */
export function identityOf(text: string): string {
  return text.includes('@') ? text.trim().normalize('NFC').toLowerCase() : text.replace(/\D/g, '');
}

/** Returns the content of a cell, or `undefined` if the cell is empty. NDJSON cells may also contain numbers. */
export function stringOf(value: unknown, column: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw new RowProblem(`${column} must be a string`);
  return String(value).trim() || undefined;
}

/** Returns an integer above 0, or `undefined` if the cell is empty. */
export function idOf(value: unknown, column: string): number | undefined {
  const text = stringOf(value, column);
  if (text === undefined) return undefined;
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1)
    throw new RowProblem(`${column} must be a whole number above 0, not "${text}"`);
  return id;
}

/** Separator between several values in one cell of a CSV file. */
export const listSeparator = ';';

/** Returns the distinct entries of an array (NDJSON), or of a cell with semicolons as separators. */
export function stringsOf(value: unknown, column: string): string[] {
  const entries = typeof value === 'string' ? value.split(listSeparator) : Array.isArray(value) ? value : [value];
  return [...new Set(entries.flatMap((entry) => stringOf(entry, column) ?? []))];
}

/** Checks the format of an email address. Returns the address in Unicode form NFC, in which an accented letter is one character. */
export function addressOf(text: string): string {
  const [hidden] = /\p{C}/u.exec(text) ?? [];
  if (hidden !== undefined) {
    const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    throw new RowProblem(`"${text}" contains an invisible character (U+${code})`);
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new RowProblem(`"${text}" is not an email address`);
  return text.normalize('NFC');
}

/** Prefix of the columns for template variables. */
export const variableColumn = 'variable:';

/** Returns the template variables of a row. The value of an empty cell is an empty string. */
export function variablesOf(row: Record<string, unknown>): Record<string, string> {
  const columns = Object.entries(row).filter(([column]) => column.startsWith(variableColumn));
  return Object.fromEntries(
    columns.map(([column, value]) => [column.slice(variableColumn.length), stringOf(value, column) ?? '']),
  );
}

export function formatVariables(variables: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [`${variableColumn}${name}`, value]));
}
