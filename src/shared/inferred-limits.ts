import type { core } from 'zod';
import type { JsonSchema } from './reference.ts';

/** Maps the code of a zod issue to the keywords that can state the violated limit. */
const keywords: Readonly<Partial<Record<core.$ZodIssue['code'], readonly string[]>>> = {
  invalid_type: ['type'],
  invalid_union: ['type', 'anyOf'],
  invalid_value: ['enum', 'const'],
  invalid_format: ['pattern', 'format'],
  too_big: ['maximum', 'maxLength', 'maxItems', 'maxProperties'],
  too_small: ['minimum', 'minLength', 'minItems', 'minProperties'],
};

/** Maps each keyword to the property that it limits, for messages. */
const limited: Readonly<Record<string, string>> = {
  type: 'its type',
  enum: 'the list of its values',
  const: 'its value',
  maximum: 'its range',
  minimum: 'its range',
  maxLength: 'its length',
  minLength: 'its length',
  maxItems: 'its number of items',
  minItems: 'its number of items',
  maxProperties: 'its number of fields',
  minProperties: 'its number of fields',
};

/**
 * Adds a note to a sentence about a violated limit. The note says that the documents do not state the limit.
 *
 * @param keyword - keyword of the limit
 */
export function asAssumption(sentence: string, keyword: string): string {
  return `${sentence.replace(/\.$/, '')} (an assumption: ${limited[keyword] ?? 'its form'} is not documented)`;
}

/**
 * Returns the keyword that a value violates, if the documents do not state this limit. The service may then accept the value. A
 * missing value violates no such limit.
 *
 * @param issue - issue with its value, from `safeParse(value, { reportInput: true })`
 * @param schema - schema at the path of the issue, from `reference.ts`
 */
export function brokenInferredLimit(issue: core.$ZodIssue, schema: JsonSchema | undefined): string | undefined {
  if (issue.code === 'custom') return issue.params?.inferred === true ? 'minProperties' : undefined;
  if (issue.code === 'invalid_type' && issue.input === undefined) return undefined;
  const inferred = schema?.['x-inferred-limits'] ?? [];
  // A validator may report the issue of the closest alternative instead of the union.
  if (inferred.includes('anyOf')) return 'anyOf';
  return keywords[issue.code]?.find((keyword) => inferred.includes(keyword));
}

/**
 * Returns the schema at a path in a value.
 *
 * @param schema - schema of the value
 * @param schemas - referenced schemas by name
 * @returns `undefined` if the schema does not describe the path
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
  // Use the first branch that describes the path.
  for (const branch of anyOf) {
    const found = schemaAt(branch, path, schemas);
    if (found) return found;
  }
  return undefined;
}
