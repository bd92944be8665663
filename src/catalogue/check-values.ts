import { fromJSONSchema, type ZodType } from 'zod';
import type { JsonSchema } from '../core/catalogue-record.ts';
import { isRecord } from '../core/envelope.ts';
import type { Params } from './check-params.ts';
import { fieldsOf, follow, parametersSchema } from './fields.ts';
import type { Method } from './methods.ts';
import { typeText } from './type-text.ts';

/** Conditions between fields, which zod cannot express: the service checks them. */
const conditions = new Set(['if', 'then', 'not', 'dependentRequired']);
const longest = 40;

const known = new Map<string, ZodType>();

/**
 * Compares the values of parameters with the types and limits that are documented. Their names were checked before.
 *
 * @returns one sentence for each value that does not fit
 */
export function checkValues(method: Method, params: Params): string[] {
  const { error } = schemaOf(method).safeParse(withoutBytes(params));
  if (!error) return [];
  return [...new Set(error.issues.map(({ path }) => sentence(method, params, path)))];
}

function schemaOf(method: Method): ZodType {
  const ready = known.get(method.name);
  if (ready) return ready;
  const json = JSON.stringify(parametersSchema(method), (name, value: unknown) =>
    conditions.has(name) ? undefined : value,
  );
  const schema = fromJSONSchema(JSON.parse(json));
  known.set(method.name, schema);
  return schema;
}

/** The client encodes bytes as text, so their fields take text here. */
function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return '';
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
}

function sentence(method: Method, params: Params, path: readonly PropertyKey[]): string {
  const place = path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('');
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    params,
  );
  if (value === undefined) return `${method.name} needs ${place}.`;
  return `${place} takes ${typeText(schemaAt(method, path))}, not ${describe(value)}.`;
}

/** The schema of a place, with what it refers to. */
function schemaAt(method: Method, [first, ...rest]: readonly PropertyKey[]): JsonSchema {
  const field = fieldsOf(method).find(({ name }) => name === first);
  return rest.reduce<JsonSchema>((schema, key) => {
    const { items = {}, properties = {}, additionalProperties } = schema;
    const others = typeof additionalProperties === 'object' ? additionalProperties : {};
    return follow(method, typeof key === 'number' ? items : (properties[String(key)] ?? others));
  }, field?.schema ?? {});
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return value.length <= longest
    ? JSON.stringify(value)
    : `${JSON.stringify(value.slice(0, longest))}… (${value.length} characters)`;
}
