import { resolve } from '../../../scripts/spec/model.ts';
import type { JsonValue, OpenApi, Schema } from '../../../scripts/spec/schema.ts';
import { isObject } from '../../support/json-value.ts';

/** Copies of the value that each add one misspelt name, for every documented name at any depth. */
export function misspellValue(openapi: OpenApi, node: Schema, value: JsonValue): JsonValue[] {
  const schema = resolve(openapi, node);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      misspellValue(openapi, schema.items ?? {}, item).map((wrong) => value.with(index, wrong)),
    );
  }
  if (!isObject(value)) return [];
  const properties = propertiesOf(openapi, schema);
  return Object.entries(value).flatMap(([name, member]) => {
    const property = properties[name];
    if (!property) return [];
    const below = misspellValue(openapi, property, member).map((wrong) => ({ ...value, [name]: wrong }));
    return [{ ...value, [misspell(name)]: member }, ...below];
  });
}

/** Expressions that read a documented name, each with a misspelt counterpart. */
export function readNames(
  openapi: OpenApi,
  node: Schema,
  expression: string,
  way: Schema[] = [],
): { right: string; wrong: string }[] {
  const schema = resolve(openapi, node);
  // Stop at a recursive schema.
  if (way.includes(schema)) return [];
  if (schema.items) return readNames(openapi, schema.items, `${expression}[0]!`, [...way, schema]);
  const properties = propertiesOf(openapi, schema);
  const names = Object.entries(properties).flatMap(([name, property]) => {
    const right = `${expression}.${name}`;
    const below = readNames(openapi, property, `${right}!`, [...way, schema]);
    return [{ right, wrong: `${expression}.${misspell(name)}` }, ...below];
  });
  // A record without documented fields has no names to read.
  const isRecord = schema.type === 'object' && schema.additionalProperties === true;
  return names.length === 0 && isRecord ? [{ right: expression, wrong: `${expression}.anything` }] : names;
}

function misspell(name: string): string {
  return `${name}_`;
}

/** Properties of a schema, including its parts and branches. */
function propertiesOf(openapi: OpenApi, node: Schema): Record<string, Schema> {
  const { properties, allOf = [], anyOf = [], oneOf = [] } = resolve(openapi, node);
  const parts = [...allOf, ...anyOf, ...oneOf].map((part) => propertiesOf(openapi, part));
  return Object.assign({}, ...parts, properties);
}
