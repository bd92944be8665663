import { isRecord } from '../shared/is-record.ts';
import type { PrismOperation } from './operation.ts';

/** A part of a JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns the schemas that describe a location in a request: several schemas if the location has alternatives. References are
 * already resolved in Prism's operations.
 *
 * @param location - `body`, `query` or `path`, then the path of the value
 */
export function schemasAt({ request }: PrismOperation, [root, ...path]: readonly string[]): Schema[] {
  if (root === 'body') return follow(request?.body?.contents?.[0]?.schema, path);
  const [name, ...inner] = path;
  const parameters = root === 'query' ? request?.query : root === 'path' ? request?.path : undefined;
  return follow(parameters?.find((parameter) => parameter.name === name)?.schema, inner);
}

function follow(schema: unknown, [key, ...rest]: readonly string[]): Schema[] {
  if (!isRecord(schema)) return [];
  const inAlternatives = listOf(schema.anyOf).flatMap((one) => follow(one, key === undefined ? [] : [key, ...rest]));
  if (key === undefined) return [schema, ...inAlternatives];
  const { properties, items, additionalProperties } = schema;
  const inner = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
  return [...follow(/^\d+$/.test(key) && items ? items : inner, rest), ...inAlternatives];
}

/** Whether the keyword that a value violates is not documented. */
export function isAssumed(keyword: string, schemas: readonly Schema[]): boolean {
  const stating = schemas.filter((schema) => Object.hasOwn(schema, keyword));
  return stating.length > 0 && stating.every((schema) => listOf(schema['x-inferred-limits']).includes(keyword));
}

/**
 * Returns the description of the violated rule, if a value matches no alternative (`anyOf`) or matches a forbidden schema
 * (`not`).
 */
export function sentenceOf(keyword: string, schemas: readonly Schema[]): string | undefined {
  const described = schemas.flatMap((schema) => (keyword === 'anyOf' ? (schema.anyOf ? schema : []) : schema.not));
  return described.flatMap((schema) => (isRecord(schema) ? schema.description : [])).find(isFilled);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
