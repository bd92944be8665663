import stringWidth from 'string-width';
import { isRecord } from '../../shared/is-record.ts';
import { methods } from '../catalogue/methods.ts';
import { replaceInvisible } from '../text/invisible.ts';
import { cellsIn, type Layout, type ListWriter, namesIn, plainText } from './output.ts';

/** Minimum width of a column, unless its cells are shorter. */
const narrowest = 10;
/** Width at which most cells can be read. Columns that do not fit are omitted instead of making other columns narrower. */
const readable = 20;

/** Creates a writer for table rows. The items on the first page determine the columns and their widths. */
export function createTableWriter({ columns: chosen, first = [], width = 120 }: Layout): ListWriter {
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
    if (!chosen) columns = fitting(items, first, width, dropped);
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

/** Returns the columns that fit: the ID and the preferred columns, then other columns as long as all can be read. */
function fitting(items: readonly unknown[], first: readonly string[], width: number, dropped: Set<string>): string[] {
  const names = namesIn(items);
  const known = ['id', ...first].filter((name) => names.includes(name));
  const columns = usefulFirst(items, names, known).slice(0, Math.max(1, Math.floor((width + 2) / (narrowest + 2))));
  const widths = columns.map((name, at) =>
    Math.min(
      readable,
      Math.max(stringWidth(name), ...items.map((item) => stringWidth(cellText(cellsIn(item, columns, dropped)[at])))),
    ),
  );
  const total = (count: number): number => widths.slice(0, count).reduce((sum, one) => sum + one + 2, -2);
  let count = columns.length;
  while (count > Math.max(1, known.length) && total(count) > width) count -= 1;
  return columns.slice(0, count);
}

/** Sorts field names: known names, then fields with single values, with lists or records, and without values. */
function usefulFirst(items: readonly unknown[], names: readonly string[], known: readonly string[]): string[] {
  const rank = (name: string): number => {
    const values = items.flatMap((item) => {
      const value = isRecord(item) ? item[name] : item;
      return value === undefined || value === null || value === '' ? [] : [value];
    });
    if (values.length === 0) return 2;
    return values.some((value) => typeof value === 'object') ? 1 : 0;
  };
  const others = names.filter((name) => !known.includes(name)).map((name) => ({ name, rank: rank(name) }));
  return [...known, ...others.sort((one, other) => one.rank - other.rank).map(({ name }) => name)];
}

/** Formats a record with one line for each field. */
export function formatRecord(record: Readonly<Record<string, unknown>>, { columns, width = 120 }: Layout): string {
  const names = (columns ?? Object.keys(record)).map((name) => ({ name, shown: cellText(name) }));
  const longest = Math.max(0, ...names.map(({ shown }) => stringWidth(shown)));
  const lines = names.map(
    ({ name, shown }) => `${pad(shown, longest)}  ${cut(cellText(record[name]), Math.max(20, width - longest - 2))}`,
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Returns the text of a cell, on one line. Records in the cell are shown by their titles. */
function cellText(value: unknown): string {
  return replaceInvisible(plainText(titlesIn(value)).replace(/\s+/g, ' '));
}

/** Replaces a record, or each record of a list, with its title. Other values are not changed. */
function titlesIn(value: unknown): unknown {
  if (isRecord(value)) return titleOf(value) ?? value;
  if (!Array.isArray(value) || value.length === 0) return value;
  const titles = value.map((item) => (isRecord(item) ? titleOf(item) : undefined));
  return titles.every((title) => title !== undefined) ? titles.join(', ') : value;
}

/** Field names of the titles, from the specs. */
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

/** Cuts a string to a width. */
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
