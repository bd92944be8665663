import { JobsError } from '../jobs-error.ts';

/** Common alternative names of columns. A name applies only if it is not itself the name of a column. */
const aliases = new Map([
  ['phone', 'phones'],
  ['email', 'emails'],
  ['messenger', 'messengers'],
  ['tag', 'tags'],
]);

/**
 * Additional columns in a repair file: the problem with its source line, and the outcome of unknown rows as determined by a person.
 * Other files cannot have these columns.
 */
export const repairColumns = ['state', 'line', 'step', 'problem', 'outcome', 'result'];

/**
 * Returns a function that normalizes the column names of rows, so that `first_name` becomes `firstName`.
 *
 * @param known - column names; a name that ends with a colon is a prefix
 * @param options - `isRepair`: whether the file is a repair file; `skipped`: columns that the user wants to skip
 * @throws `JobsError` if a column is unknown, because its values would be lost
 */
export function columnReader(
  file: string,
  known: readonly string[],
  { isRepair = false, skipped = [] }: { isRepair?: boolean | undefined; skipped?: readonly string[] | undefined } = {},
): (values: Record<string, unknown>) => Record<string, unknown> {
  // Cache the names, because the rows of a file usually have the same columns.
  const names = new Map<string, string | undefined>(skipped.map((column) => [column, undefined]));
  const all = isRepair ? [...known, ...repairColumns] : known;
  return (values) => {
    const row: Record<string, unknown> = {};
    for (const [column, value] of Object.entries(values)) {
      if (!names.has(column)) {
        const unknown = Object.keys(values).filter((each) => !names.has(each) && nameOf(each, all) === undefined);
        if (unknown.length > 0) throw new JobsError(describeUnknown(file, unknown, known));
        names.set(column, nameOf(column, all));
      }
      const name = names.get(column);
      if (name === undefined) continue;
      if (Object.hasOwn(row, name)) throw new JobsError(`${file}: two columns are called "${name}".`);
      row[name] = value;
    }
    return row;
  };
}

/** Returns the normalized name of a column, or `undefined` if the column is unknown. */
function nameOf(column: string, known: readonly string[]): string | undefined {
  if (known.some((name) => name.endsWith(':') && column.startsWith(name))) return column;
  const camel = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [camel, aliases.get(camel)].find((name) => name !== undefined && known.includes(name));
}

function describeUnknown(file: string, unknown: readonly string[], known: readonly string[]): string {
  const variable = unknown.find((column) => column.startsWith('variable:'));
  if (variable !== undefined && !known.includes('variable:'))
    return `${file}: the column "${variable}" is for a template variable, but the message has no template.`;
  const list = known.map((one) => (one.endsWith(':') ? `${one}<name>` : one)).join(', ');
  const names = unknown.map((one) => `"${one}"`).join(', ');
  return `${file}: unknown columns: ${names}. Rename or remove the columns, or skip them with --skip-columns ${unknown.join(',')}. Known columns: ${list}.`;
}
