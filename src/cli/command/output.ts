import { UsageError } from '../../shared/command-line.ts';
import { replaceControls, replaceInvisible } from '../../shared/invisible.ts';
import { isRecord } from '../../shared/is-record.ts';

export const formats = ['table', 'json', 'ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

/** Writes a list as text, a page at a time. */
export interface ListWriter {
  /** The text of further items. */
  add(items: readonly unknown[]): string;
  /** The text after the last item. */
  end(): string;
  /** Fields that items had and the columns did not. */
  readonly dropped: ReadonlySet<string>;
}

/** How values are written. */
export interface Layout {
  format: Format;
  /** Names of fields to show, in order (default: those of the first page). */
  columns?: readonly string[] | undefined;
  /** Characters of a line of the terminal. */
  width?: number | undefined;
  /** Whether cells of CSV are written as they are, although a spreadsheet would calculate them. */
  isRaw?: boolean;
}

/** The text of one value. */
export function formatValue(value: unknown, layout: Layout): string {
  if (value === undefined) return '';
  const { format } = layout;
  if (format === 'json') return `${json(value, 2)}\n`;
  if (format === 'ndjson') return `${json(value)}\n`;
  if (format === 'table' && isRecord(value)) return formatRecord(value, layout);
  const writer = createListWriter(layout);
  return writer.add([value]) + writer.end();
}

/** Writes items as they come, and keeps only the columns in memory. */
export function createListWriter({ format, columns: chosen, width = 120, isRaw = false }: Layout): ListWriter {
  const dropped = new Set<string>();
  let columns = chosen;
  let widths: number[] = [];
  let count = 0;
  const begin = (items: readonly unknown[]): string => {
    columns ??= [...new Set(items.flatMap((item) => (isRecord(item) ? Object.keys(item) : ['value'])))];
    if (format === 'csv') return `${columns.map((name) => csvCell(plainText(name))).join(',')}\r\n`;
    // Omit columns that do not fit: cells of a few characters would be useless.
    if (!chosen) columns = columns.slice(0, Math.max(1, Math.floor((width + 2) / (narrowest + 2))));
    const rows = [columns, ...items.map((item) => cellsOf(item))];
    widths = shrink(
      columns.map((_, at) => Math.max(...rows.map((row) => lengthOf(row[at] ?? '')))),
      width,
    );
    return tableRow(columns.map((name) => cellText(name).toUpperCase()));
  };
  const text = format === 'csv' ? (value: unknown) => sheetText(value, isRaw) : cellText;
  const cellsOf = (item: unknown): string[] => {
    const record = isRecord(item) ? item : { value: item };
    for (const name of Object.keys(record)) if (!columns?.includes(name)) dropped.add(name);
    return (columns ?? []).map((name) => text(Object.hasOwn(record, name) ? record[name] : undefined));
  };
  const tableRow = (cells: readonly string[]): string =>
    `${cells
      .map((cell, at) => pad(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd()}\n`;
  return {
    dropped,
    add(items) {
      if (items.length === 0) return '';
      const isFirst = count === 0;
      count += items.length;
      if (format === 'ndjson') return items.map((item) => `${json(item)}\n`).join('');
      if (format === 'json') {
        const texts = items.map((item) => json(item, 2).replace(/^/gm, '  '));
        return `${isFirst ? '[\n' : ',\n'}${texts.join(',\n')}`;
      }
      const head = isFirst ? begin(items) : '';
      const row = format === 'csv' ? (cells: string[]) => `${cells.map(csvCell).join(',')}\r\n` : tableRow;
      return head + items.map((item) => row(cellsOf(item))).join('');
    },
    end() {
      if (format === 'json') return count === 0 ? '[]\n' : '\n]\n';
      return count === 0 && format === 'table' ? 'No records.\n' : '';
    },
  };
}

/** Reads `--columns`. */
export function readColumns(text: string | undefined): string[] | undefined {
  const names = text?.split(',').map((name) => name.trim());
  if (names?.some((name) => name === '')) throw new UsageError('--columns takes names of fields, separated by commas.');
  return names;
}

/** A record as lines of name and value. */
function formatRecord(record: Readonly<Record<string, unknown>>, { columns, width = 120 }: Layout): string {
  const names = columns ?? Object.keys(record);
  const longest = Math.max(0, ...names.map((name) => name.length));
  const lines = names.map(
    (name) => `${cellText(name).padEnd(longest)}  ${cut(cellText(record[name]), Math.max(20, width - longest - 2))}`,
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** JSON without characters that a terminal could obey: JSON itself escapes only the first 32. */
function json(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value as text. Line breaks and tabs stay; a terminal could obey other control characters. */
function plainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : typeof value === 'object' ? json(value) : String(value);
  return replaceControls(text, '\t\r\n');
}

/** Text of a cell of a table: one line. */
function cellText(value: unknown): string {
  return replaceInvisible(plainText(value).replace(/\s+/g, ' '));
}

/** Text of a cell of CSV. A spreadsheet would calculate a text that looks like a formula: an apostrophe keeps it a text. */
function sheetText(value: unknown, isRaw: boolean): string {
  const text = plainText(value);
  const isFormula = typeof value === 'string' && /^(?:[=@\t\r]|[+-](?![\d\s().-]*$))/.test(text);
  return isFormula && !isRaw ? `'${text}` : text;
}

/** RFC 4180. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Characters of the narrowest column, unless its cells are shorter. */
const narrowest = 10;

/** Shrinks the widest columns until the row fits. */
function shrink(widths: number[], width: number): number[] {
  const fitted = [...widths];
  const total = (): number => fitted.reduce((sum, one) => sum + one + 2, -2);
  while (total() > width && Math.max(...fitted) > narrowest) {
    const widest = fitted.indexOf(Math.max(...fitted));
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

function pad(cell: string, width: number): string {
  const text = cut(cell, width);
  return text + ' '.repeat(Math.max(0, width - lengthOf(text)));
}

function cut(text: string, width: number): string {
  return lengthOf(text) <= width ? text : `${[...text].slice(0, width - 1).join('')}…`;
}

function lengthOf(text: string): number {
  return [...text].length;
}
