import * as z from 'zod';
import { isContainer } from '../rules/json.ts';

/** A field or parameter that the schema does not describe, such as `['body', 'email', 'priority']`. */
export type UnknownField = readonly string[];

/** Returns the fields of a value that its schema does not describe. */
export function unknownFields(schema: z.core.$ZodType | undefined, value: unknown, place: string): UnknownField[] {
  const found: UnknownField[] = [];
  if (isContainer(value)) collect(schema, value, [place], found);
  return found;
}

function collect(schema: z.core.$ZodType | undefined, value: object, place: UnknownField, found: UnknownField[]): void {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    collect(schema.unwrap(), value, place, found);
  else if (schema instanceof z.ZodArray && Array.isArray(value)) collectItems(schema, value, place, found);
  else if (schema instanceof z.ZodObject) collectFields(schema, value, place, found);
  else if (schema === undefined) for (const name of Object.keys(value)) found.push([...place, name]);
  // A union describes a field if one of its branches describes the field. Other schemas describe all fields.
  else if (schema instanceof z.ZodUnion) for (const field of ofUnion(schema, value, place)) found.push(field);
}

function collectItems(
  { element }: z.ZodArray,
  items: readonly unknown[],
  place: UnknownField,
  found: UnknownField[],
): void {
  for (const [index, item] of items.entries())
    if (isContainer(item)) collect(element, item, [...place, String(index)], found);
}

function collectFields({ shape }: z.ZodObject, value: object, place: UnknownField, found: UnknownField[]): void {
  // This function runs for every write, so it creates a list only for a field that can contain other fields.
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(shape, name)) found.push([...place, name]);
    else {
      const inner: unknown = Reflect.get(value, name);
      if (isContainer(inner)) collect(shape[name], inner, [...place, name], found);
    }
  }
}

function ofUnion(schema: z.ZodUnion, value: object, place: UnknownField): UnknownField[] {
  const branches = schema.options.map((branch) => {
    const found: UnknownField[] = [];
    collect(branch, value, place, found);
    return found;
  });
  return branches.reduce((least, branch) => (branch.length < least.length ? branch : least));
}
