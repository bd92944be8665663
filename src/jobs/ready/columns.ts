import { JobsError } from '../jobs-error.ts';

/** Columns by their usual other names, such as `phone` for `phones`. */
export type Aliases = Readonly<Record<string, string>>;

/**
 * Columns that a file of rows to repair has in addition: what happened in which line of the source, and for unknown rows what a
 * person found out.
 */
export const repairColumns = ['state', 'line', 'step', 'problem', 'outcome', 'result'];

/**
 * Returns a function that renames the columns of rows: `first_name` and `firstName` are the same.
 *
 * @param known - names of columns; one that ends in a colon is the beginning of many names
 * @throws `JobsError` if a column is not known, because its values would be lost
 */
export function columnReader(
  file: string,
  known: readonly string[],
  aliases: Aliases = {},
): (values: Record<string, unknown>) => Record<string, unknown> {
  // Rows of one file usually have the same columns, so the names are found once.
  const names = new Map<string, string>();
  return (values) => {
    const row: Record<string, unknown> = {};
    for (const [column, value] of Object.entries(values)) {
      const name = names.get(column) ?? nameOf(column, file, known, aliases);
      names.set(column, name);
      if (Object.hasOwn(row, name)) throw new JobsError(`${file}: two columns are called "${name}".`);
      row[name] = value;
    }
    return row;
  };
}

function nameOf(column: string, file: string, known: readonly string[], aliases: Aliases): string {
  if (known.some((name) => name.endsWith(':') && column.startsWith(name))) return column;
  const camel = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const name = aliases[camel] ?? camel;
  if (known.includes(name) || repairColumns.includes(name)) return name;
  const list = known.map((one) => (one.endsWith(':') ? `${one}<name>` : one)).join(', ');
  throw new JobsError(`${file}: there is no column "${column}". Rename or remove it. Known columns: ${list}.`);
}
