import * as z from 'zod';

/**
 * Fields of a request that its handler does not process, such as a field that is new in the spec. A record stores these fields
 * in addition to its own fields, and a response contains the fields that its schema declares.
 */
export interface UnhandledFields {
  unhandled?: Readonly<Record<string, unknown>>;
}

/** @internal */
export const zUnhandledFields = z.record(z.string(), z.unknown()).optional();

type Schemas = [request: z.core.$ZodType, ...records: z.core.$ZodType[]];

/**
 * Returns the fields that are declared both in the schema of the request, or of one of its items, and in the schema of at least
 * one record.
 *
 * @param untreated - the request or item without the fields that the handler processes
 * @internal
 */
export function declaredFields(untreated: object, ...[request, ...records]: Schemas): { [name: string]: unknown } {
  const isDeclared = (name: string): boolean =>
    declares(request, name) && records.some((record) => declares(record, name));
  return Object.fromEntries(Object.entries(untreated).filter(([name]) => isDeclared(name)));
}

/**
 * Returns the declared fields of a request as the unhandled fields of a record.
 *
 * @internal
 */
export function unhandledFields(untreated: object, ...schemas: Schemas): UnhandledFields {
  const unhandled = declaredFields(untreated, ...schemas);
  return Object.keys(unhandled).length > 0 ? { unhandled } : {};
}

/**
 * Returns the unhandled fields of a record that a response declares.
 *
 * @internal
 */
export function shownUnhandled({ unhandled = {} }: Readonly<UnhandledFields>, response: z.core.$ZodType): object {
  return Object.fromEntries(Object.entries(unhandled).filter(([name]) => declares(response, name)));
}

function declares(schema: z.core.$ZodType, name: string): boolean {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, name);
  if (schema instanceof z.ZodIntersection) return declares(schema.def.left, name) || declares(schema.def.right, name);
  return false;
}
