import { UsageError } from '../../shared/command-line.ts';
import type { JsonSchema } from '../../shared/reference.ts';
import { type Field, fieldsOf, follow } from '../catalogue/fields.ts';
import type { Method } from '../catalogue/methods.ts';
import { typeText } from '../catalogue/type-text.ts';
import { kebab } from './names.ts';

/** Credentials are never passed in a flag, because other users of the machine can see flags. */
const isSecret = (name: string): boolean => /secret/i.test(name);

/** Returns the fields of a method that have a flag. Fields of the path are arguments. */
export function flagFields(method: Method): Field[] {
  return fieldsOf(method).filter((field) => field.in !== 'path' && !isSecret(field.name));
}

/** Whether a method exchanges a secret for a token. Its reply is then a credential, too. */
export function returnsCredential(method: Method): boolean {
  return fieldsOf(method).some(({ name }) => isSecret(name));
}

/** Returns the arguments of a method, which are the fields of its path, in their order. */
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

/** Whether `null` is a value of the flag. */
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

/**
 * Converts the texts of a flag to a value of the type in its schema.
 *
 * @param texts - every use of the flag, in order
 * @throws `UsageError` if a text does not fit the type
 */
export function readFlag(method: Method, { name, schema }: Field, texts: readonly string[]): unknown {
  const flag = `--${kebab(name)}`;
  const type = mainType(schema);
  if (type === 'array') return texts.flatMap((text) => readItems(method, schema, text, flag));
  if (type === 'object') return readObject(method, schema, texts, flag);
  const last = texts.at(-1) ?? '';
  return readValue(method, schema, last, flag);
}

/** Converts the text of an argument to a value. */
export function readArgument(method: Method, { name, schema }: Field, text: string): unknown {
  return readValue(method, schema, text, `<${kebab(name)}>`);
}

function readValue(method: Method, schema: JsonSchema, text: string, flag: string): unknown {
  const types = typesOf(schema);
  if (text === 'null' && types.includes('null')) return null;
  if (schema.enum) {
    const value = schema.enum.find((one) => String(one) === text);
    if (value === undefined) throw new UsageError(`${flag} is ${typeText({ enum: schema.enum })}, not '${text}'.`);
    return value;
  }
  // For an integer or a string, use the first type that fits. Long numbers stay text, so that they keep all digits.
  if (types[0] === 'integer' && /^(?:0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (types.includes('string')) return text;
  if (types.includes('boolean')) {
    if (text !== 'true' && text !== 'false') throw new UsageError(`${flag} is true or false, not '${text}'.`);
    return text === 'true';
  }
  if (types.includes('integer') || types.includes('number')) return readNumber(text, types, flag);
  if (types.includes('object')) return readObject(method, schema, [text], flag);
  if (types.includes('array')) return readItems(method, schema, text, flag);
  return parseJson(text) ?? text;
}

function readNumber(text: string, types: readonly string[], flag: string): number {
  const value = Number(text);
  const isInteger = !types.includes('number');
  if (text.trim() === '' || !Number.isFinite(value) || (isInteger && !Number.isSafeInteger(value))) {
    throw new UsageError(`${flag} is ${isInteger ? 'an integer' : 'a number'}, not '${text}'.`);
  }
  return value;
}

/** Reads a JSON list, or one item. Numbers and values of enums can be separated by commas. */
function readItems(method: Method, schema: JsonSchema, text: string, flag: string): unknown[] {
  if (text.startsWith('[')) {
    const parsed = parseJson(text);
    if (Array.isArray(parsed)) return parsed;
    throw new UsageError(`${flag} is not a JSON list: ${text}`);
  }
  const item = follow(method, schema.items ?? {});
  const types = typesOf(item);
  const isSeparable =
    item.enum !== undefined || (types.length > 0 && types.every((type) => /^(?:integer|number)$/.test(type)));
  const parts = isSeparable ? text.split(',') : [text];
  return parts.map((part) => readValue(method, item, part, flag));
}

/** Reads a JSON object, or `name=value` for each of its fields. */
function readObject(method: Method, schema: JsonSchema, texts: readonly string[], flag: string): object {
  const { properties = {}, additionalProperties: values } = schema;
  const entries = texts.flatMap((text): [string, unknown][] => {
    if (text.startsWith('{')) {
      const parsed = parseJson(text);
      if (typeof parsed === 'object' && parsed !== null) return Object.entries(parsed);
      throw new UsageError(`${flag} is not a JSON object: ${text}`);
    }
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === '') throw new UsageError(`${flag} takes name=value, or a JSON object, not '${text}'.`);
    const inner = Object.hasOwn(properties, name) ? properties[name] : typeof values === 'object' ? values : undefined;
    if (inner === undefined && Object.keys(properties).length > 0) {
      throw new UsageError(`${flag} has no field ${name}. It has ${Object.keys(properties).join(', ')}.`);
    }
    return [[name, readValue(method, follow(method, inner ?? {}), value, `${flag} ${name}`)]];
  });
  return Object.fromEntries(entries);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the type by which a flag is read. */
function mainType(schema: JsonSchema): string | undefined {
  const types = typesOf(schema).filter((type) => type !== 'null');
  return types.find((type) => type === 'string') ?? types[0];
}

/** Returns the types that a schema allows, including those of its alternatives. */
function typesOf({ type, anyOf = [] }: JsonSchema): string[] {
  return [type ?? anyOf.flatMap((schema) => schema.type ?? [])].flat();
}
