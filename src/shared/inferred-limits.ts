import type { core } from 'zod';
import type { JsonSchema } from './reference.ts';

/** Kind of a zod issue → the keywords that state the limit. */
const keywords: Readonly<Partial<Record<core.$ZodIssue['code'], readonly string[]>>> = {
  invalid_type: ['type'],
  invalid_union: ['type', 'anyOf'],
  invalid_value: ['enum', 'const'],
  invalid_format: ['pattern', 'format'],
  too_big: ['maximum', 'maxLength', 'maxItems', 'maxProperties'],
  too_small: ['minimum', 'minLength', 'minItems', 'minProperties'],
};

/**
 * Whether a value breaks only a limit that the documents do not state, so that the service may accept it. A missing value has no type
 * that could be wrong.
 *
 * @param issue - with the value: `safeParse(value, { reportInput: true })`
 * @param schema - of the place of the issue, from `reference.ts`
 */
export function breaksInferredLimit(issue: core.$ZodIssue, schema: JsonSchema | undefined): boolean {
  if (issue.code === 'custom') return issue.params?.inferred === true;
  if (issue.code === 'invalid_type' && issue.input === undefined) return false;
  const inferred = schema?.['x-inferred-limits'] ?? [];
  // A validator may report what is wrong with the one alternative that comes nearest.
  if (inferred.includes('anyOf')) return true;
  return keywords[issue.code]?.some((keyword) => inferred.includes(keyword)) ?? false;
}

/**
 * The schema of a place inside of a value.
 *
 * @param schema - of the value
 * @param schemas - those that it refers to, by name
 * @returns `undefined` if the schema says nothing about the place
 */
export function schemaAt(
  schema: JsonSchema,
  path: readonly PropertyKey[],
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema | undefined {
  const { $ref, ...given } = schema;
  const target = $ref === undefined ? undefined : schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  const whole = target ? { ...schemaAt(target, [], schemas), ...given } : given;
  const [key, ...rest] = path;
  if (key === undefined) return whole;
  const { items, properties = {}, additionalProperties, anyOf = [] } = whole;
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const isIndex = /^\d+$/.test(String(key));
  const inner = isIndex && items ? items : Object.hasOwn(properties, String(key)) ? properties[String(key)] : others;
  if (inner) return schemaAt(inner, rest, schemas);
  // The first branch that knows the place.
  for (const branch of anyOf) {
    const found = schemaAt(branch, path, schemas);
    if (found) return found;
  }
  return undefined;
}
