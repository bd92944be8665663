import * as z from 'zod';

/** A field or parameter that the schema does not describe, such as `['body', 'email', 'priority']`. */
export type UnknownField = readonly string[];

/** Returns the fields of a value that its schema does not describe. */
export function unknownFields(schema: z.core.$ZodType | undefined, value: unknown, place: string): UnknownField[] {
  const found: UnknownField[] = [];
  collect(schema, value, [place], found);
  return found;
}

function collect(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  place: UnknownField,
  found: UnknownField[],
): void {
  if (typeof value !== 'object' || value === null) return;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    collect(schema.unwrap(), value, place, found);
  else if (schema instanceof z.ZodArray && Array.isArray(value))
    for (const [index, one] of value.entries()) collect(schema.element, one, [...place, String(index)], found);
  else if (schema instanceof z.ZodObject) collectObject(schema, value, place, found);
  else if (schema === undefined) for (const name of Object.keys(value)) found.push([...place, name]);
  // A union describes a field if one of its branches does. Other schemas describe everything.
  else if (schema instanceof z.ZodUnion) for (const field of ofUnion(schema, value, place)) found.push(field);
}

function collectObject(schema: z.ZodObject, value: object, place: UnknownField, found: UnknownField[]): void {
  for (const [name, inner] of Object.entries(value)) {
    if (Object.hasOwn(schema.shape, name)) collect(schema.shape[name], inner, [...place, name], found);
    else found.push([...place, name]);
  }
}

function ofUnion(schema: z.ZodUnion, value: unknown, place: UnknownField): UnknownField[] {
  const branches = schema.options.map((branch) => {
    const found: UnknownField[] = [];
    collect(branch, value, place, found);
    return found;
  });
  return branches.reduce((least, branch) => (branch.length < least.length ? branch : least));
}
