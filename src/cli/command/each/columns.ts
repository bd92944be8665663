import { closest } from '../../../shared/closest.ts';
import { UsageError } from '../../../shared/command-line.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { JsonSchema } from '../../../shared/reference.ts';
import type { Params } from '../../catalogue/check-params.ts';
import { type Field, fieldsOf, takesOtherFields } from '../../catalogue/fields.ts';
import type { Method } from '../../catalogue/methods.ts';
import { argumentFields, flagFields, readArgument } from '../flags.ts';
import type { Io } from '../io.ts';
import { kebab } from '../names.ts';
import { parseOrText, readField } from '../params.ts';
import { columnNames, innerFields, itemOf } from './column-names.ts';

/** Separates the items of a list in a cell, as in the files of `carillon-jobs`. */
const listSeparator = ';';

/** Begins the name of a column for a field that the documents do not name, as `--set` does. */
const otherPrefix = 'set.';

/** The place of a column's values in the parameters. */
type Target =
  | { kind: 'field'; field: Field }
  /** A field of an object, or of the one object of a list. */
  | { kind: 'inner'; field: Field; inner: string; item: JsonSchema | undefined }
  | { kind: 'other'; name: string };

/** The columns of a file, by their names. */
export type Columns = ReadonlyMap<string, Target>;

/**
 * Finds the parameter of each column, by the name of the parameter or of its flag.
 *
 * @param skipped - columns that are not parameters
 * @param fixed - parameters for rows without a value
 * @throws `UsageError` if a column is unknown, or if a required parameter has no column
 */
export function resolveColumns(
  method: Method,
  names: readonly string[],
  skipped: readonly string[],
  fixed: Params,
): Columns {
  const columns = new Map<string, Target>();
  for (const name of names) {
    const target = targetOf(method, name);
    if (target) columns.set(name, target);
    else if (!skipped.includes(name)) throw new UsageError(unknownColumn(method, name));
  }
  const twice = [...columns.values()].map((target) => JSON.stringify(placeOf(target)));
  const repeated = [...columns.keys()].find((_, at) => twice.indexOf(twice[at] ?? '') !== at);
  if (repeated !== undefined) throw new UsageError(`Two columns have the same parameter. One of them is ${repeated}.`);
  const given = new Set([...columns.values()].map((target) => placeOf(target)[0]));
  const missing = fieldsOf(method).filter(
    ({ name, required }) => required && !given.has(name) && fixed[name] === undefined,
  );
  if (missing.length > 0) throw new UsageError(missingColumns(method, missing));
  return columns;
}

function missingColumns(method: Method, fields: readonly Field[]): string {
  const names = fields.map(({ name }) => name).join(', ');
  const flags = fields.map(({ name, in: place }) => (place === 'path' ? `<${kebab(name)}>` : `--${kebab(name)}`));
  return `${method.name} needs ${names}: add a column, or give all rows the same value with ${flags.join(' and ')}. Nothing was sent.`;
}

function placeOf(target: Target): string[] {
  if (target.kind === 'other') return [otherPrefix, target.name];
  return target.kind === 'field' ? [target.field.name] : [target.field.name, target.inner];
}

function targetOf(method: Method, column: string): Target | undefined {
  if (column.startsWith(otherPrefix) && takesOtherFields(method) !== undefined)
    return { kind: 'other', name: column.slice(otherPrefix.length) };
  const [, first = '', rest] = /^([^.]*)(?:\.(.+))?$/s.exec(column) ?? [];
  const field = [...argumentFields(method), ...flagFields(method)].find(({ name }) => kebab(name) === kebab(first));
  if (!field) return undefined;
  if (rest === undefined) return { kind: 'field', field };
  const item = itemOf(method, field);
  const known = Object.keys(innerFields(method, field)).find((name) => kebab(name) === kebab(rest));
  const isMap = typeof field.schema.additionalProperties === 'object';
  const inner = known ?? (isMap ? rest : undefined);
  return inner === undefined ? undefined : { kind: 'inner', field, inner, item };
}

function unknownColumn(method: Method, column: string): string {
  const names = columnNames(method);
  const meant = closest(column, names);
  const hint = meant === undefined ? `The columns are ${names.join(', ')}.` : `Did you mean ${meant}?`;
  return `${method.name} has no parameter for the column ${JSON.stringify(column)}. ${hint} To ignore it, add --skip-columns ${column}. Nothing was sent.`;
}

/**
 * Reads the parameters in the cells of a row. Ignores empty cells.
 *
 * @throws `UsageError` if a cell does not fit the type of its parameter
 */
export async function readCells(
  method: Method,
  columns: Columns,
  values: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<Params> {
  const params: Record<string, unknown> = {};
  const inner = new Map<Field, { item: JsonSchema | undefined; texts: string[] }>();
  for (const [name, target] of columns) {
    const text = String(values[name] ?? '');
    if (text === '') continue;
    if (target.kind === 'other') params[target.name] = parseOrText(text);
    else if (target.kind === 'field') params[target.field.name] = await readCell(method, target.field, text, io);
    else {
      const { texts } = inner.get(target.field) ?? { texts: [] };
      inner.set(target.field, { item: target.item, texts: [...texts, `${target.inner}=${text}`] });
    }
  }
  for (const [field, { item, texts }] of inner) {
    const object = await readField(method, item ? { ...field, schema: item } : field, texts, io);
    const before = params[field.name];
    params[field.name] = item ? [object] : isRecord(before) && isRecord(object) ? { ...before, ...object } : object;
  }
  return params;
}

async function readCell(method: Method, field: Field, text: string, io: Io): Promise<unknown> {
  if (field.in === 'path') return readArgument(method, field, text);
  const isList = [field.schema.type ?? []].flat().includes('array');
  if (!isList || /^[[{@]/.test(text)) return readField(method, field, [text], io);
  const items = text
    .split(listSeparator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return readField(method, field, items, io);
}
