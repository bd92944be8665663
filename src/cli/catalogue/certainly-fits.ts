import type { JsonSchema } from '../../shared/reference.ts';
import type { Params } from './check-names.ts';
import { fieldsOf, follow } from './fields.ts';
import { type Method, schemasOf } from './methods.ts';

/** Keywords that do not restrict values. */
const silent = new Set(['description', 'deprecated', 'default', 'x-inferred-limits']);

/**
 * Whether parameter values certainly fit the spec. This check understands only the simple keywords of JSON Schema, but suffices
 * for most calls, and loading the validators takes longer than a call. If the result is `false`, `checkValues` decides.
 */
export function certainlyFits(method: Method, params: Params): boolean {
  const fields = fieldsOf(method);
  const body = method.body === undefined ? {} : (schemasOf(method.product)[method.body] ?? {});
  const { properties: _, required: __, additionalProperties: ___, type: ____, ...others } = body;
  if (Object.keys(others).some((keyword) => !silent.has(keyword))) return false;
  return Object.entries(params).every(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    return field !== undefined && field.encoding === undefined && fits(method, field.schema, value);
  });
}

function fits(method: Method, schema: JsonSchema, value: unknown): boolean {
  const { $ref, ...own } = schema;
  if ($ref !== undefined) return fits(method, follow(method, schema), value);
  return Object.entries(own).every(
    ([keyword, limit]) => silent.has(keyword) || keeps(method, own, keyword, limit, value),
  );
}

/** Whether a value satisfies one keyword of its schema. */
function keeps(method: Method, schema: JsonSchema, keyword: string, limit: unknown, value: unknown): boolean {
  switch (keyword) {
    case 'type':
      return [limit].flat().some((type) => hasType(type, value));
    case 'enum':
      return Array.isArray(limit) && limit.includes(value);
    case 'anyOf':
      return (schema.anyOf ?? []).some((branch) => fits(method, branch, value));
    case 'minimum':
      return typeof value !== 'number' || value >= Number(limit);
    case 'maximum':
      return typeof value !== 'number' || value <= Number(limit);
    // A string can have fewer code points than code units. Each comparison uses the stricter count.
    case 'minLength':
      return typeof value !== 'string' || [...value].length >= Number(limit);
    case 'maxLength':
      return typeof value !== 'string' || value.length <= Number(limit);
    case 'minItems':
      return !Array.isArray(value) || value.length >= Number(limit);
    case 'maxItems':
      return !Array.isArray(value) || value.length <= Number(limit);
    case 'items':
      return !Array.isArray(value) || value.every((item) => fits(method, schema.items ?? {}, item));
    case 'properties':
      return !isPlainObject(value) || fitProperties(method, schema, value);
    case 'required':
      return !isPlainObject(value) || (schema.required ?? []).every((name) => value[name] !== undefined);
    case 'additionalProperties':
      return schema.properties !== undefined && limit === false;
    default:
      return false;
  }
}

/** Fields that the schema does not name are left to `checkValues`. */
function fitProperties(
  method: Method,
  { properties = {} }: JsonSchema,
  value: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(value).every(([name, inner]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema !== undefined && fits(method, schema, inner);
  });
}

function hasType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isPlainObject(value);
    default:
      return false;
  }
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
