import { UsageError } from '../../shared/command-line.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { JsonSchema } from '../../shared/reference.ts';
import { isCredentialField } from '../../shared/secret-names.ts';
import { type Field, fieldsOf, follow } from '../catalogue/fields.ts';
import type { Method } from '../catalogue/methods.ts';
import { typeText } from '../catalogue/type-text.ts';
import { parseOrString } from '../text/parse-json.ts';
import type { Written } from './expand.ts';
import { kebab } from './names.ts';

/**
 * Returns the fields of a method that have a flag. Path fields are arguments instead. Credentials have no flag, because other
 * users of the machine can see flags.
 */
export function flagFields(method: Method): Field[] {
  return fieldsOf(method).filter((field) => field.in !== 'path' && !isCredentialField(field.name));
}

/** Whether a method exchanges a secret for a token. The response is then also a credential. */
export function returnsCredential(method: Method): boolean {
  return fieldsOf(method).some(({ name }) => isCredentialField(name));
}

/** Returns the arguments of a method: its path fields, in the order of the path. */
export function argumentFields(method: Method): Field[] {
  const place = ({ name }: Field): number => method.path.indexOf(`{${name}}`);
  return fieldsOf(method)
    .filter((field) => field.in === 'path')
    .sort((one, other) => place(one) - place(other));
}

/** Returns the placeholder of a flag's value in help, such as `<integer>`. */
export function placeholder(method: Method, schema: JsonSchema): string {
  const type = mainType(schema);
  if (type === 'boolean') return '[boolean]';
  if (type === 'array') return `<${nameOf(follow(method, schema.items ?? {}))}>`;
  if (type === 'object') return '<name=value>';
  return `<${nameOf(schema)}>`;
}

/** Whether the flag takes `null`. */
export function takesNull(schema: JsonSchema): boolean {
  return typesOf(schema).includes('null');
}

function nameOf(schema: JsonSchema): string {
  const type = mainType(schema) ?? 'json';
  return type === 'object' ? 'json' : type;
}

/** Describes a field for help, with its type, its limits and its inner fields. */
export function fieldText(method: Method, { schema, required }: Pick<Field, 'schema' | 'required'>): string {
  const { description = '' } = schema;
  const items = schema.items && follow(method, schema.items);
  const { properties = {} } = items ?? schema;
  const fields = Object.entries(properties).map(([name, inner]) => `${name} (${typeText(follow(method, inner))})`);
  const repeat = mainType(schema) === 'array' || mainType(schema) === 'object' ? 'can be repeated' : '';
  const facts = [typeText(items ? { ...schema, items } : schema), repeat, required && 'required'].filter(Boolean);
  return [description, `(${facts.join(', ')})`, fields.length > 0 && `Fields: ${fields.join(', ')}.`]
    .filter(Boolean)
    .join(' ');
}

/** The string of a flag or cell, or the content of a file, with its key in a map or object. */
export type Part =
  | (Written & { readonly key?: string | undefined })
  | { readonly key: string; readonly bytes: Uint8Array };

/** Whether a field is a list. */
export function isList({ schema }: Pick<Field, 'schema'>): boolean {
  return mainType(schema) === 'array';
}

/** Whether a field is an object or a map. */
export function isObject({ schema }: Pick<Field, 'schema'>): boolean {
  return mainType(schema) === 'object';
}

/** Whether a schema accepts any string, even one that contains only spaces. */
export function isPlainString(schema: JsonSchema): boolean {
  const types = typesOf(schema).filter((type) => type !== 'null');
  return schema.enum === undefined && (types.length === 0 || (types.length === 1 && types[0] === 'string'));
}

/**
 * Converts a field's strings to the type in its schema.
 *
 * @param parts - every use of the flag, in order
 * @param place - the flag or the column, for messages
 * @throws `UsageError` if a string does not fit the type
 */
export function readFlag(
  method: Method,
  { name, schema, encoding }: Field,
  parts: readonly Part[],
  place = `--${kebab(name)}`,
): unknown {
  if (mainType(schema) === 'object') return readObject(method, schema, parts, place);
  const strings = parts.filter((part) => 'text' in part);
  if (mainType(schema) === 'array') return strings.flatMap((part) => readItems(method, schema, part, place));
  const last = strings.at(-1) ?? { text: '', isLiteral: true };
  if (encoding === 'base64' || encoding === 'base64Text') return last.text;
  return readValue(method, schema, last, place);
}

/** Converts the string of an argument to a value. */
export function readArgument(method: Method, { name, schema }: Field, text: string): unknown {
  return readValue(method, schema, { text, isLiteral: true }, `<${kebab(name)}>`);
}

function readValue(method: Method, schema: JsonSchema, written: Written, flag: string): unknown {
  const { isLiteral } = written;
  const types = typesOf(schema);
  const text = isPlainString(schema) ? written.text : written.text.trim();
  if (text === 'null' && types.includes('null') && !(isLiteral && types.includes('string'))) return null;
  if (schema.enum) {
    const value = schema.enum.find((one) => String(one) === text);
    if (value === undefined) throw new UsageError(`${flag} must be ${typeText({ enum: schema.enum })}, not '${text}'.`);
    return value;
  }
  // If the schema allows an integer or a string, use the first type that fits. Long numbers stay strings to keep all digits.
  if (types[0] === 'integer' && /^(?:0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (types.includes('string')) return text;
  if (types.includes('boolean')) {
    if (text !== 'true' && text !== 'false') throw new UsageError(`${flag} must be true or false, not '${text}'.`);
    return text === 'true';
  }
  if (types.includes('integer') || types.includes('number')) return readNumber(text, types, flag);
  if (types.includes('object')) return readObject(method, schema, [written], flag);
  if (types.includes('array')) return readItems(method, schema, written, flag);
  return parseOrString(text);
}

function readNumber(text: string, types: readonly string[], flag: string): number {
  const value = Number(text);
  const isInteger = !types.includes('number');
  if (text.trim() === '' || !Number.isFinite(value) || (isInteger && !Number.isSafeInteger(value))) {
    throw new UsageError(`${flag} must be ${isInteger ? 'an integer' : 'a number'}, not '${text}'.`);
  }
  return value;
}

/** Reads a JSON list, or one item. Numbers and values of enums can be separated by commas. A literal string is one item. */
function readItems(method: Method, schema: JsonSchema, { text, isLiteral }: Written, flag: string): unknown[] {
  const item = follow(method, schema.items ?? {});
  if (isLiteral) return [readValue(method, item, { text, isLiteral }, flag)];
  if (text.startsWith('[')) {
    const parsed = parseOrString(text);
    if (Array.isArray(parsed)) return parsed;
    throw new UsageError(`${flag} is not a JSON list: ${text}`);
  }
  const types = typesOf(item);
  const isSeparable =
    item.enum !== undefined || (types.length > 0 && types.every((type) => /^(?:integer|number)$/.test(type)));
  const strings = isSeparable ? text.split(',') : [text];
  return strings.map((part) => readValue(method, item, { text: part, isLiteral }, flag));
}

/** Reads a JSON object, or `name=value` for each of its fields. */
function readObject(method: Method, schema: JsonSchema, parts: readonly Part[], flag: string): object {
  const { properties = {}, additionalProperties: values } = schema;
  const entries = parts.flatMap((part): [string, unknown][] => {
    if ('bytes' in part) return [[part.key, part.bytes]];
    const { key, text, isLiteral } = part;
    if (key === undefined && text.startsWith('{')) {
      const parsed = parseOrString(text);
      if (isRecord(parsed)) return Object.entries(parsed);
      throw new UsageError(`${flag} is not a JSON object: ${text}`);
    }
    const [, first = '', rest = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    const [name, value] = key === undefined ? [first, rest] : [key, text];
    if (name === '') throw new UsageError(`${flag} takes name=value, or a JSON object, not '${text}'.`);
    const inner = Object.hasOwn(properties, name) ? properties[name] : typeof values === 'object' ? values : undefined;
    if (inner === undefined && Object.keys(properties).length > 0) {
      throw new UsageError(`${flag} has no field ${name}. Its fields: ${Object.keys(properties).join(', ')}.`);
    }
    const written = { text: value, isLiteral };
    return [[name, readValue(method, follow(method, inner ?? {}), written, `${flag} ${name}`)]];
  });
  return Object.fromEntries(entries);
}

/** Returns the type to which the value of a flag is converted. */
function mainType(schema: JsonSchema): string | undefined {
  const types = typesOf(schema).filter((type) => type !== 'null');
  return types.find((type) => type === 'string') ?? types[0];
}

/** Returns the types that a schema allows, including those of its alternatives. */
function typesOf({ type, anyOf = [] }: JsonSchema): string[] {
  return [type ?? anyOf.flatMap((schema) => schema.type ?? [])].flat();
}
