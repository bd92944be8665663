import { JobsError } from '../jobs-error.ts';

/** Columns by common alternative names, such as `phone` for `phones`. */
export type Aliases = Readonly<Record<string, string>>;

/**
 * Additional columns in a file of rows to repair: the problem with its line in the source, and the outcome of unknown rows,
 * determined by a person. They mean nothing in other files.
 */
export const repairColumns = ['state', 'line', 'step', 'problem', 'outcome', 'result'];

/**
 * Returns a function that normalizes the column names of rows, so that `first_name` equals `firstName`.
 *
 * @param known - names of columns; a name that ends in a colon is a prefix
 * @param options - `isRepair`: whether the file was written to repair rows
 * @throws `JobsError` if a column is unknown, because its values would be lost
 */
export function columnReader(
  file: string,
  known: readonly string[],
  { aliases = {}, isRepair = false }: { aliases?: Aliases | undefined; isRepair?: boolean | undefined } = {},
): (values: Record<string, unknown>) => Record<string, unknown> {
  // Cache the names, because rows of one file usually have the same columns.
  const names = new Map<string, string>();
  const all = isRepair ? [...known, ...repairColumns] : known;
  return (values) => {
    const row: Record<string, unknown> = {};
    for (const [column, value] of Object.entries(values)) {
      const name = names.get(column) ?? nameOf(column, file, all, aliases);
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
  if (known.includes(name)) return name;
  const list = known.map((one) => (one.endsWith(':') ? `${one}<name>` : one)).join(', ');
  throw new JobsError(`${file}: there is no column "${column}". Rename or remove it. Known columns: ${list}.`);
}
