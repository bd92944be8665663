import { own } from '../../shared/operation.ts';
import type { JsonSchema } from '../../shared/reference.ts';

/**
 * Reads the query in the form that the schemas expect: numbers, booleans and lists. Other parameters stay strings.
 *
 * @param schemas - type of each parameter, and of its items
 */
export function readQuery(
  search: URLSearchParams,
  schemas: Readonly<Record<string, JsonSchema>>,
): Record<string, unknown> {
  // Creates own properties, even for a parameter named `__proto__`.
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => [name, readValue(search.getAll(name), own(schemas, name) ?? {})]),
  );
}

function readValue(given: readonly string[], { type, items }: JsonSchema): unknown {
  if (type === 'array') return given.map((text) => asType(text, items?.type));
  const values = given.map((text) => asType(text, type));
  return values.length === 1 ? values[0] : values;
}

function asType(text: string, type: JsonSchema['type']): unknown {
  const [first] = [type].flat();
  if ((first === 'integer' || first === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return first === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}
