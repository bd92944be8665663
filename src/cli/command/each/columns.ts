import { UsageError } from '../../../shared/command-line.ts';
import { didYouMean } from '../../../shared/did-you-mean.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { JsonSchema } from '../../../shared/reference.ts';
import type { Params } from '../../catalogue/check-names.ts';
import { type Field, fieldsOf, follow, takesOtherFields } from '../../catalogue/fields.ts';
import type { Method } from '../../catalogue/methods.ts';
import { cutText } from '../../text/cut-text.ts';
import { parseOrString } from '../../text/parse-json.ts';
import {
  argumentFields,
  flagFields,
  isList,
  isObject,
  isPlainString,
  type Part,
  readArgument,
  readFlag,
} from '../flags.ts';
import { kebab } from '../names.ts';
import { unguard } from '../sheet-text.ts';
import { columnNames, innerFields, itemOf } from './method-columns.ts';

/** Separates the items of a list in a cell, as in the files of `carillon-jobs`. */
const listSeparator = ';';

/**
 * Prefix in the name of a column for an undocumented field. The flag `--set` sets such a field for a single call.
 */
const otherPrefix = 'set.';

/** Where a column's values go in the parameters. */
type Target =
  | { kind: 'field'; field: Field }
  /** A field of an object, or of the only object in a list. */
  | { kind: 'inner'; field: Field; inner: string; item: JsonSchema | undefined }
  | { kind: 'other'; name: string };

/** Maximum length of a column name in a message. */
const maxShown = 100;

/** The parameter of each column, by column name. */
export type Columns = ReadonlyMap<string, Target>;

/** Options for reading cells. */
export interface CellOptions {
  /** Whether `--output csv` wrote the file, and therefore added apostrophes before formulas. */
  readonly isExported: boolean;
}

/**
 * Finds the parameter for each column. A column has the name of a parameter or of its flag.
 *
 * @param skipped - columns that are not parameters
 * @param fixed - parameters for rows that have no value of their own
 * @throws `UsageError` if a column is unknown, or if a required parameter has no column
 */
export function resolveColumns(
  method: Method,
  names: readonly string[],
  skipped: readonly string[],
  fixed: Params,
  { isExported }: CellOptions,
): Columns {
  const columns = new Map<string, Target>();
  for (const name of names) {
    const target = targetOf(method, isExported ? unguard(name) : name);
    if (target) columns.set(name, target);
    else if (!skipped.includes(name)) throw new UsageError(unknownColumn(method, name));
  }
  const twice = [...columns.values()].map((target) => JSON.stringify(placeOf(target)));
  const repeated = [...columns.keys()].find((_, at) => twice.indexOf(twice[at] ?? '') !== at);
  if (repeated !== undefined) throw new UsageError(`The column ${repeated} sets the same parameter as another column.`);
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
  if (column === `${otherPrefix}__proto__`) return undefined;
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
  const id = kebab(column) === 'id' ? argumentFields(method).at(-1) : undefined;
  if (id)
    return `${method.name} has no parameter for the column id. Rename the column to ${id.name}. Nothing was sent.`;
  const shown = cutText(column, maxShown);
  const hint = didYouMean(column, names) ?? `The valid columns are ${names.join(', ')}.`;
  return `${method.name} has no parameter for the column ${JSON.stringify(shown)}. ${hint} To ignore the column, add --skip-columns ${shown}. Nothing was sent.`;
}

/**
 * Reads the parameters from the cells of a row. Ignores empty cells. A cell is data: its string is converted to the type of
 * the parameter, and is never used as a path.
 *
 * @throws `UsageError` if a cell does not fit the type of its parameter
 */
export function readCells(
  method: Method,
  columns: Columns,
  values: Readonly<Record<string, unknown>>,
  { isExported }: CellOptions,
): Params {
  const params: Record<string, unknown> = {};
  const inner = new Map<Field, { item: JsonSchema | undefined; parts: Part[] }>();
  for (const [name, target] of columns) {
    const cell = String(values[name] ?? '');
    const text = isExported ? unguard(cell) : cell;
    if (text === '' || (text.trim() === '' && !takesBlanks(method, target))) continue;
    checkDigits(method, name, target, text);
    if (target.kind === 'other') params[target.name] = parseOrString(text);
    else if (target.kind === 'field') params[target.field.name] = readCell(method, target.field, text);
    else {
      const part: Part = { key: target.inner, text, isLiteral: true };
      const { parts } = inner.get(target.field) ?? { parts: [] };
      inner.set(target.field, { item: target.item, parts: [...parts, part] });
    }
  }
  for (const [field, { item, parts }] of inner) {
    const object = readFlag(method, item ? { ...field, schema: item } : field, parts, field.name);
    const before = params[field.name];
    params[field.name] = item ? [object] : isRecord(before) && isRecord(object) ? { ...before, ...object } : object;
  }
  return params;
}

function readCell(method: Method, field: Field, text: string): unknown {
  if (field.in === 'path') return readArgument(method, field, text);
  const isJson = isList(field) ? text.startsWith('[') : isObject(field);
  if (isJson) return readFlag(method, field, [{ text, isLiteral: false }], field.name);
  const strings = isList(field) ? itemsIn(text) : [text];
  const parts = strings.map((item) => ({ text: item, isLiteral: true }));
  return readFlag(method, field, parts, field.name);
}

/** Whether a string of spaces is a valid value for the field. */
function takesBlanks(method: Method, target: Target): boolean {
  return target.kind === 'other' || isPlainString(schemaOf(method, target));
}

/** Returns the schema of a cell, or of the list items in the cell. */
function schemaOf(method: Method, target: Exclude<Target, { kind: 'other' }>): JsonSchema {
  const { schema } = target.field;
  if (target.kind === 'field') return schema.items ? follow(method, schema.items) : schema;
  const { additionalProperties: values } = schema;
  const inner = innerFields(method, target.field)[target.inner] ?? (typeof values === 'object' ? values : undefined);
  return follow(method, inner ?? {});
}

/** Matches a long number in the form that a spreadsheet shows and saves. A phone number becomes `1.5553E+10`. */
const scientific = /^[+-]?\d(?:[.,]\d+)?E\+?\d+$/i;

function checkDigits(method: Method, column: string, target: Target, text: string): void {
  if (target.kind === 'other') return;
  const schema = schemaOf(method, target);
  const types = [schema.type ?? []].flat();
  const name = target.kind === 'inner' ? target.inner : target.field.name;
  if (!types.includes('integer') && !/phone/i.test(name)) return;
  const lost = [text, ...itemsIn(text)].find((item) => scientific.test(item));
  if (lost === undefined) return;
  throw new UsageError(
    `${column}: '${lost}' is a long number that a spreadsheet shortened, so digits are lost. Format the column as text, and enter the number again.`,
  );
}

/** Splits a cell into the items of a list. */
function itemsIn(text: string): string[] {
  return text
    .split(listSeparator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
