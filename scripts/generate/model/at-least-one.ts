import type { Schema } from '../../spec/schema.ts';
import { propertyKey } from '../typescript/names.ts';

/** Whether an object needs at least one of its fields although none is required. */
export function needsField(schema: Schema): boolean {
  return schema['x-at-least-one'] === true;
}

/**
 * A union with one object for each field of a schema, in which that field is required. Intersected with an object type, it
 * requires at least one of the fields.
 *
 * @param typeOf - writes the type of a field
 */
export function oneOfFields({ properties = {} }: Schema, typeOf: (field: Schema) => string): string {
  const comment = '/** Required if no other field is given. */';
  const objects = Object.entries(properties).map(
    ([name, field]) => `{\n${comment}\n${propertyKey(name)}: ${typeOf(field)} }`,
  );
  return `(${objects.join(' | ')})`;
}
