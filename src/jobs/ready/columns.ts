import { JobsError } from '../jobs-error.ts';

/** Columns by their usual other names, such as `phone` for `phones`. */
export type Aliases = Readonly<Record<string, string>>;

/**
 * Finds out what the columns of a file mean: `first_name` and `firstName` are the same.
 *
 * @param known - names of columns; one that ends in a colon stands for all that begin with it
 * @returns the known name of each column of the row
 * @throws `JobsError` if a column is not known, because its values would be lost
 */
export function columnNames(file: string, found: string[], known: readonly string[], aliases: Aliases = {}): string[] {
  return found.map((column) => {
    const prefix = known.find((name) => name.endsWith(':') && column.startsWith(name));
    if (prefix) return column;
    const camel = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const name = aliases[camel] ?? camel;
    if (known.includes(name)) return name;
    const list = known.map((one) => (one.endsWith(':') ? `${one}<name>` : one)).join(', ');
    throw new JobsError(`${file}: there is no column "${column}". Rename or remove it. Known columns: ${list}.`);
  });
}

/** Renames the columns of rows. Rows of one file usually have the same columns, so the names are found once. */
export function columnReader(
  file: string,
  known: readonly string[],
  aliases?: Aliases,
): (values: Record<string, unknown>) => Record<string, unknown> {
  const cache = new Map<string, string>();
  return (values) => {
    const row: Record<string, unknown> = {};
    for (const [column, value] of Object.entries(values)) {
      let name = cache.get(column);
      if (name === undefined) {
        [name = column] = columnNames(file, [column], known, aliases);
        cache.set(column, name);
      }
      if (name in row) throw new JobsError(`${file}: two columns are called "${name}".`);
      row[name] = value;
    }
    return row;
  };
}
