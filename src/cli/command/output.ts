import { UsageError } from '../../shared/command-line.ts';
import { isRecord } from '../../shared/is-record.ts';
import { csvCell } from '../../shared/rows/csv-cell.ts';
import { replaceControls } from '../text/invisible.ts';
import { parseOrString } from '../text/parse-json.ts';
import { guard } from './sheet-text.ts';

export const formats = ['table', 'json', 'ndjson', 'csv', 'text'] as const;
export type Format = (typeof formats)[number];

/** Converts a list to text, page by page. */
export interface ListWriter {
  /** Returns the text of further items. */
  add(items: readonly unknown[]): string;
  /** Returns the text after the last item. */
  end(): string;
  /** Names of the fields that have no column. */
  readonly dropped: ReadonlySet<string>;
}

/** Options for writing values. */
export interface Layout {
  format: Format;
  /** Names of fields to show, in order (default: the fields of the first page). */
  columns?: readonly string[] | undefined;
  /** Names of the fields that a table shows first, after the ID. */
  first?: readonly string[] | undefined;
  /** Names of the fields to write as JSON (default: all). */
  fields?: readonly string[] | undefined;
  /** Width of the terminal in characters. */
  width?: number | undefined;
  /** Whether CSV cells are written unchanged, even if a spreadsheet would treat them as formulas. */
  isRaw?: boolean;
  /** Whether the output is a terminal. Control characters could control the terminal, so they are replaced. */
  isTerminal?: boolean;
  /** Names of the documented fields (default: all). In CSV, the values of other fields are JSON. */
  documented?: ReadonlySet<string> | undefined;
}

/** Creates a writer for JSON, NDJSON, CSV or text. */
export function createListWriter(layout: Layout & { format: Exclude<Format, 'table'> }): ListWriter {
  const { format, columns: chosen, fields, isTerminal = false, documented } = layout;
  const dropped = new Set<string>();
  let columns = chosen;
  let count = 0;
  const shown = (value: unknown): string => (isTerminal ? plainText(value) : valueText(value));
  const cellsOf = (item: unknown, record: number): string[] => {
    const values = cellsIn(item, columns ?? [], dropped);
    return (columns ?? []).map((name, at) => {
      const isOwn = documented !== undefined && !documented.has(name);
      const place = `${replaceControls(name)} of record ${record}`;
      return sheetText(isOwn ? ownText(values[at]) : values[at], place, layout);
    });
  };
  return {
    dropped,
    add(items) {
      if (items.length === 0) return '';
      const before = count;
      const isFirst = before === 0;
      count += items.length;
      if (format === 'ndjson') return items.map((item) => `${json(pick(item, fields))}\n`).join('');
      if (format === 'json') {
        const texts = items.map((item) => json(pick(item, fields), 2).replace(/^/gm, '  '));
        return `${isFirst ? '[\n' : ',\n'}${texts.join(',\n')}`;
      }
      columns ??= namesIn(items);
      if (format === 'text') {
        const rows = items.map((item) => cellsIn(item, columns ?? [], dropped).map(shown));
        return rows.map((cells) => `${cells.join('\t')}\n`).join('');
      }
      const head = isFirst ? [columns.map((name) => sheetText(name, 'a field name', layout))] : [];
      const rows = items.map((item, at) => cellsOf(item, before + at + 1));
      return [...head, ...rows].map((cells) => `${csvLine(cells)}\r\n`).join('');
    },
    end() {
      if (format === 'json') return count === 0 ? '[]\n' : '\n]\n';
      return '';
    },
  };
}

/** Returns all field names of some items. */
export function namesIn(items: readonly unknown[]): string[] {
  return [...new Set(items.flatMap((item) => (isRecord(item) ? Object.keys(item) : ['value'])))];
}

/**
 * Returns the values of an item in column order.
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
 * Reads field names.
 *
 * @param flag - `--columns` or `--json`
 */
export function readNames(flag: string, text: string | undefined): string[] | undefined {
  const names = text?.split(',').map((name) => name.trim());
  if (names?.some((name) => name === '')) throw new UsageError(`${flag} takes a comma-separated list of field names.`);
  return names;
}

/** Writes a value as JSON in which all control characters are escaped. `JSON.stringify` escapes only the first 32 characters. */
export function json(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Converts a value to text for people. Line breaks and tabs are kept. Other control characters are replaced, because they could
 * control a terminal.
 */
export function plainText(value: unknown): string {
  return replaceControls(valueText(value), '\t\r\n');
}

/** Converts a value to text, for data. */
function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : typeof value === 'object' ? json(value) : String(value);
}

/**
 * Encodes the value of a field without a documented type. A string that is also valid JSON becomes a JSON string, so that
 * `set.` columns of `--each` read the same value.
 */
function ownText(value: unknown): unknown {
  return typeof value === 'string' && parseOrString(value) !== value ? json(value) : value;
}

/**
 * Returns the text of a CSV cell.
 *
 * @param place - description of the cell, for messages
 * @throws `UsageError` if the text contains half a character
 */
function sheetText(value: unknown, place: string, { isRaw = false, isTerminal = false }: Layout): string {
  const text = isTerminal ? plainText(value) : valueText(value);
  if (/\p{Surrogate}/u.test(text))
    throw new UsageError(
      `${place} contains half a character (a lone surrogate), which CSV cannot hold. Use --output ndjson, or choose other --columns.`,
    );
  return typeof value === 'string' && !isRaw ? guard(text) : text;
}

/** Joins CSV cells. A single empty cell is quoted, because readers skip empty lines. */
export function csvLine(cells: readonly string[]): string {
  return cells.length === 1 && cells[0] === '' ? '""' : cells.map(csvCell).join(',');
}
