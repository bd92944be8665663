import { UsageError } from '../../shared/command-line.ts';
import { replaceControls } from '../../shared/invisible.ts';
import { isRecord } from '../../shared/is-record.ts';

export const formats = ['table', 'json', 'ndjson', 'csv', 'text'] as const;
export type Format = (typeof formats)[number];

/** Writes a list as text, a page at a time. */
export interface ListWriter {
  /** Returns the text of further items. */
  add(items: readonly unknown[]): string;
  /** Returns the text after the last item. */
  end(): string;
  /** Fields of items that have no column. */
  readonly dropped: ReadonlySet<string>;
}

/** Options for writing values. */
export interface Layout {
  format: Format;
  /** Names of fields to show, in order (default: those of the first page). */
  columns?: readonly string[] | undefined;
  /** Names of the fields of JSON (default: all). */
  fields?: readonly string[] | undefined;
  /** Characters of a line of the terminal. */
  width?: number | undefined;
  /** Whether CSV cells that a spreadsheet would calculate are written unchanged. */
  isRaw?: boolean;
}

/** A writer of JSON, NDJSON, CSV or text. */
export function createListWriter({
  format,
  columns: chosen,
  fields,
  isRaw = false,
}: Layout & { format: Exclude<Format, 'table'> }): ListWriter {
  const dropped = new Set<string>();
  let columns = chosen;
  let count = 0;
  const cellsOf = (item: unknown): string[] =>
    cellsIn(item, columns ?? [], dropped).map((value) => sheetText(value, isRaw));
  return {
    dropped,
    add(items) {
      if (items.length === 0) return '';
      const isFirst = count === 0;
      count += items.length;
      if (format === 'ndjson') return items.map((item) => `${json(pick(item, fields))}\n`).join('');
      if (format === 'json') {
        const texts = items.map((item) => json(pick(item, fields), 2).replace(/^/gm, '  '));
        return `${isFirst ? '[\n' : ',\n'}${texts.join(',\n')}`;
      }
      columns ??= namesIn(items);
      if (format === 'text') {
        const rows = items.map((item) => cellsIn(item, columns ?? [], dropped).map(plainText));
        return rows.map((cells) => `${cells.join('\t')}\n`).join('');
      }
      const head = isFirst ? [columns.map((name) => plainText(name))] : [];
      return [...head, ...items.map(cellsOf)].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
    },
    end() {
      if (format === 'json') return count === 0 ? '[]\n' : '\n]\n';
      return '';
    },
  };
}

/** The names of all fields of some items. */
export function namesIn(items: readonly unknown[]): string[] {
  return [...new Set(items.flatMap((item) => (isRecord(item) ? Object.keys(item) : ['value'])))];
}

/**
 * The values of an item in the order of columns.
 *
 * @param dropped - receives the names of fields without a column
 */
export function cellsIn(item: unknown, columns: readonly string[], dropped: Set<string>): unknown[] {
  const record = isRecord(item) ? item : { value: item };
  for (const name of Object.keys(record)) if (!columns.includes(name)) dropped.add(name);
  return columns.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined));
}

/** Selects fields of a record. */
export function pick(value: unknown, fields: readonly string[] | undefined): unknown {
  if (fields === undefined || !isRecord(value)) return value;
  return Object.fromEntries(fields.map((name) => [name, Object.hasOwn(value, name) ? value[name] : null]));
}

/**
 * Reads names of fields.
 *
 * @param flag - `--columns` or `--json`
 */
export function readNames(flag: string, text: string | undefined): string[] | undefined {
  const names = text?.split(',').map((name) => name.trim());
  if (names?.some((name) => name === '')) throw new UsageError(`${flag} takes names of fields, separated by commas.`);
  return names;
}

/** JSON without control characters for terminals. JSON itself escapes only the first 32 characters. */
export function json(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Converts a value to text. Line breaks and tabs stay; other control characters could control a terminal. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : typeof value === 'object' ? json(value) : String(value);
  return replaceControls(text, '\t\r\n');
}

/** Text of a CSV cell. An apostrophe keeps a spreadsheet from calculating a text that looks like a formula. */
function sheetText(value: unknown, isRaw: boolean): string {
  const text = plainText(value);
  const isFormula = typeof value === 'string' && /^(?:[=@\t\r]|[+-](?![\d\s().-]*$))/.test(text);
  return isFormula && !isRaw ? `'${text}` : text;
}

/** Quotes a CSV cell (RFC 4180). */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
