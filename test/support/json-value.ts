import type { JsonValue } from '../../scripts/spec/schema.ts';

export type Primitive = string | number | boolean | null;

export type JsonObject = { [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isPrimitive(value: JsonValue): value is Primitive {
  return typeof value !== 'object' || value === null;
}

/** The value at a location. `undefined` if the path ends before it. */
export function valueAt(value: JsonValue | undefined, location: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const key of location) {
    if (Array.isArray(current)) current = current[Number(key)];
    else current = isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return current;
}

/** A copy with another value at a location whose parent exists. */
export function withValue(value: JsonValue, [key, ...rest]: readonly string[], put: JsonValue): JsonValue {
  if (key === undefined) return put;
  if (Array.isArray(value)) {
    const copy = [...value];
    copy[Number(key)] = withValue(value[Number(key)] ?? null, rest, put);
    return copy;
  }
  if (!isObject(value)) throw new Error(`There is no place for '${key}' in ${JSON.stringify(value)}`);
  return { ...value, [key]: withValue(value[key] ?? null, rest, put) };
}

/** A copy without some keys of an object. */
export function withoutKeys(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
