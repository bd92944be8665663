import { resolve, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue, OpenApi, Schema } from '../../../scripts/spec/schema.ts';
import { isObject, isPrimitive, type Primitive, valueAt } from '../../support/json-value.ts';

/** A field of a body. Its place has `0` for each list, because all entries have the same fields. */
export interface Field {
  place: readonly string[];
  /** The place as text, such as `email.to[].name` or `variables.*`. */
  name: string;
  schema: Schema;
}

/** Known values of fields, by name. */
export type Pool = ReadonlyMap<string, ReadonlySet<Primitive>>;

/** A body, and the value of one of its fields. */
export interface Candidate {
  value: Primitive;
  body: JsonValue;
}

/** Number of values to try for a field. */
const maxValues = 40;
/** Number of values to try together with another value of another field. */
const fewValues = 8;

/** An address that `prepare` adds to the sandbox. */
export const otherAddress = 'other@example.com';

/** The values of each field in all examples of a spec. */
export function valuesOfExamples(operations: readonly SpecOperation[]): Pool {
  const found = new Map<string, Set<Primitive>>();
  const visit = (value: JsonValue, name: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, name);
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) visit(one, key);
    else found.set(name, (found.get(name) ?? new Set()).add(value));
  };
  for (const { body, success } of operations)
    for (const { value } of [...Object.values(body?.examples ?? {}), ...Object.values(success.examples)])
      visit(value, '');
  return found;
}

/** The fields of a body, including those that an example omits. */
export function fieldsOf({ spec, body }: SpecOperation, example: JsonValue): Field[] {
  const fields = body ? fieldsIn(spec.openapi, body.schema, example, [], '') : [];
  // Several branches of a schema may have the same field.
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

function fieldsIn(
  openapi: OpenApi,
  node: Schema,
  value: JsonValue | undefined,
  place: readonly string[],
  name: string,
): Field[] {
  const inner = (schema: Schema, key: string, shown: string): Field[] =>
    fieldsIn(openapi, schema, valueAt(value, [key]), [...place, key], shown);
  const branches = branchesOf(openapi, node);
  const fields = branches.flatMap(({ properties, items, type, additionalProperties: open }) => {
    if (items) return inner(items, '0', `${name}[]`);
    if (properties)
      return Object.entries(properties).flatMap(([key, one]) => inner(one, key, name ? `${name}.${key}` : key));
    // An open object: one of its keys, or any.
    const [key = 'key'] = isObject(value) ? Object.keys(value) : [];
    return type === 'object' ? inner(typeof open === 'object' ? open : {}, key, `${name}.*`) : [];
  });
  const schema = branches.find(({ type, enum: values }) => type ?? values) ?? node;
  return fields.length > 0 ? fields : [{ place, name, schema }];
}

/** A schema with all of its alternatives and parts. */
export function branchesOf(openapi: OpenApi, node: Schema): Schema[] {
  const schema = resolve(openapi, node);
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...inner.flatMap((one) => branchesOf(openapi, one))];
}

/** The example with each value of a field. The last ones also change the fields beside it, because some only fit together. */
export function* bodiesFor(
  example: JsonValue,
  field: Field,
  others: readonly Field[],
  pool: Pool,
): Generator<Candidate> {
  const values = valuesFor(field, example, pool);
  for (const value of values) yield { value, body: putDeep(example, field.place, value) };
  for (const other of others.filter((one) => one !== field && isBeside(one, field)))
    for (const beside of valuesFor(other, example, pool).slice(0, fewValues))
      for (const value of values.slice(0, fewValues))
        yield { value, body: putDeep(putDeep(example, other.place, beside), field.place, value) };
}

function isBeside(one: Field, other: Field): boolean {
  return one.place.slice(0, -1).join() === other.place.slice(0, -1).join();
}

/** Different values to try, starting with the example's. */
function valuesFor({ place, schema }: Field, example: JsonValue, pool: Pool): Primitive[] {
  const given = [
    valueAt(example, place),
    ...(schema.enum ?? []),
    ...(schema.examples ?? []),
    ...(pool.get(lastName({ place })) ?? []),
  ];
  const values = [...given, ...given.flatMap(variantsOf), ...otherValues(schema)].filter(
    (value): value is Primitive => value !== undefined && value !== null && isPrimitive(value),
  );
  return [...new Set(values)].slice(0, maxValues);
}

function variantsOf(value: JsonValue | undefined): JsonValue[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1, value + 2];
  if (typeof value !== 'string' || value === '') return [];
  const changed = (pattern: RegExp, by: (found: string) => string): string => value.replace(pattern, by);
  return [
    ...(value.includes('@') ? [otherAddress] : []),
    `${value} 2`,
    changed(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
    changed(/\d(?=\D*$)/, (digit) => String((Number(digit) + 9) % 10)),
    changed(/[a-z](?=[^a-z]*$)/, (letter) => (letter === 'x' ? 'y' : 'x')),
    changed(/[A-Z](?=[^A-Z]*$)/, (letter) => (letter === 'X' ? 'Y' : 'X')),
  ];
}

function otherValues({ type }: Schema): JsonValue[] {
  const types = [type].flat();
  if (types.includes('boolean')) return [true, false];
  if (types.includes('integer') || types.includes('number')) return [1, 2, 3];
  return ['One', 'Two', 'https://shop.example.com/one.png', 'https://shop.example.com/two.png'];
}

/** A copy with a value at a place. Shortens the lists above it to one entry, because others could hide the value. */
function putDeep(body: JsonValue, [key, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value;
  const inner = putDeep(valueAt(body, [key]) ?? null, rest, value);
  return key === '0' ? [inner] : { ...(isObject(body) && body), [key]: inner };
}

function lastName({ place }: Pick<Field, 'place'>): string {
  return place.findLast((name) => name !== '0') ?? '';
}
