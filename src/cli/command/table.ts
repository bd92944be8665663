import stringWidth from 'string-width';
import { replaceInvisible } from '../../shared/invisible.ts';
import { isRecord } from '../../shared/is-record.ts';
import { methods } from '../catalogue/methods.ts';
import { cellsIn, type Layout, type ListWriter, namesIn, plainText } from './output.ts';

/** Minimum width of a column, unless its cells are shorter. */
const narrowest = 10;

/** Writes items as rows of a table. The first ones decide the columns and their widths. */
export function createTableWriter({ columns: chosen, width = 120 }: Layout): ListWriter {
  const dropped = new Set<string>();
  let columns = chosen ?? [];
  let widths: number[] | undefined;
  const tableRow = (cells: readonly string[]): string =>
    `${cells
      .map((cell, at) => pad(cell, widths?.[at] ?? 0))
      .join('  ')
      .trimEnd()}\n`;
  const begin = (items: readonly unknown[]): string => {
    // Omit columns that do not fit, because cells of a few characters would be useless.
    if (!chosen) columns = namesIn(items).slice(0, Math.max(1, Math.floor((width + 2) / (narrowest + 2))));
    const rows = [columns.map(cellText), ...items.map((item) => cellsIn(item, columns, dropped).map(cellText))];
    widths = shrink(
      columns.map((_, at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? '')))),
      width,
    );
    return tableRow(columns.map((name) => cellText(name).toUpperCase()));
  };
  return {
    dropped,
    add(items) {
      if (items.length === 0) return '';
      const head = widths ? '' : begin(items);
      return head + items.map((item) => tableRow(cellsIn(item, columns, dropped).map(cellText))).join('');
    },
    end: () => (widths ? '' : 'No records.\n'),
  };
}

/** Formats a record as lines of name and value. */
export function formatRecord(record: Readonly<Record<string, unknown>>, { columns, width = 120 }: Layout): string {
  const names = (columns ?? Object.keys(record)).map((name) => ({ name, shown: cellText(name) }));
  const longest = Math.max(0, ...names.map(({ shown }) => stringWidth(shown)));
  const lines = names.map(
    ({ name, shown }) => `${pad(shown, longest)}  ${cut(cellText(record[name]), Math.max(20, width - longest - 2))}`,
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Text of a cell, on one line. Records in it are shown by their titles. */
function cellText(value: unknown): string {
  return replaceInvisible(plainText(titlesIn(value)).replace(/\s+/g, ' '));
}

/** Replaces a record, or a list of records, by titles. Other values stay. */
function titlesIn(value: unknown): unknown {
  if (isRecord(value)) return titleOf(value) ?? value;
  if (!Array.isArray(value) || value.length === 0) return value;
  const titles = value.map((item) => (isRecord(item) ? titleOf(item) : undefined));
  return titles.every((title) => title !== undefined) ? titles.join(', ') : value;
}

/** Fields of titles, from the specs. */
const titles = [
  ...new Map(methods.flatMap(({ title = [] }) => (title.length > 0 ? [[title.join(), title]] : []))).values(),
];

/** Returns the title of a record and its ID, such as `Ann Kowal (3001)`. */
function titleOf(record: Readonly<Record<string, unknown>>): string | undefined {
  const words = titles
    .map((fields) => fields.map((name) => record[name]).filter((word) => typeof word === 'string' && word !== ''))
    .find((found) => found.length > 0);
  if (!words) return undefined;
  const { id } = record;
  return typeof id === 'number' || typeof id === 'string' ? `${words.join(' ')} (${id})` : words.join(' ');
}

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
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

const characters = new Intl.Segmenter();

/** Cuts a text to a width. */
function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let beginning = '';
  let used = 0;
  for (const { segment } of characters.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    beginning += segment;
  }
  return `${beginning}…`;
}
